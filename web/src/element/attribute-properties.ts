/** The attributes of a demo as properties. */
import type { ConfigDocument } from "../index.ts";
import {
  ATTRIBUTE_OF,
  type AttributeName,
  DEFAULT_MOUNT_PATH,
  type DemoAnswerView,
  type DemoFiles,
  type DemoLoading,
  type DemoTheme,
  FILES_CHOICES,
  LOADINGS,
  readChoice,
  renderArguments,
  THEMES,
  VIEWS,
} from "./attributes.ts";
import { ElementBase } from "./element-base.ts";

/** Mirrors every attribute; setting a property to null or undefined removes its attribute. */
export class AttributeProperties extends ElementBase {
  /** The tool to call. */
  get tool(): string {
    return this.getAttribute("tool") ?? "";
  }
  set tool(name: string | null) {
    this.#write("tool", name);
  }

  /** The arguments as JSON text; also accepts an object. @default "{}" */
  get arguments(): string {
    return this.getAttribute("arguments") ?? "{}";
  }
  set arguments(args: string | object | null) {
    this.#write("arguments", typeof args === "object" && args ? renderArguments(args) : args);
  }

  /** Address of an archive or a manifest, relative to the page. */
  get src(): string {
    return this.getAttribute("src") ?? "";
  }
  set src(address: string | null) {
    this.#write("src", address);
  }

  /** The digest that the bytes at `src` must have, such as `sha384-...`. */
  get integrity(): string {
    return this.getAttribute("integrity") ?? "";
  }
  set integrity(integrity: string | null) {
    this.#write("integrity", integrity);
  }

  /** A package of the npm registry: `name@version`. */
  get npm(): string {
    return this.getAttribute("npm") ?? "";
  }
  set npm(specifier: string | null) {
    this.#write("npm", specifier);
  }

  /** A repository on GitHub: `owner/repo@ref`. */
  get github(): string {
    return this.getAttribute("github") ?? "";
  }
  set github(specifier: string | null) {
    this.#write("github", specifier);
  }

  /** The path that the tree is mounted at. @default "/repo" */
  get mountPath(): string {
    return this.getAttribute("mount-path") ?? DEFAULT_MOUNT_PATH;
  }
  set mountPath(path: string | null) {
    this.#write("mount-path", path);
  }

  /** The configuration as JSON text; also accepts an object. @default "{}" */
  get config(): string {
    return this.getAttribute("config") ?? "{}";
  }
  set config(config: string | ConfigDocument | null) {
    this.#write("config", typeof config === "object" && config ? JSON.stringify(config) : config);
  }

  /** The most bytes that an answer may have; null uses the configuration's limit. */
  get maxOutputBytes(): number | null {
    const text = this.getAttribute("max-output-bytes");
    return text === null ? null : Number(text);
  }
  set maxOutputBytes(maxOutputBytes: number | null) {
    this.#write("max-output-bytes", maxOutputBytes?.toString());
  }

  /** When the demo starts without a click. @default "click": never */
  get loading(): DemoLoading {
    return readChoice(LOADINGS, this.getAttribute("loading"));
  }
  set loading(loading: DemoLoading | null) {
    this.#write("loading", loading);
  }

  /** True if the arguments cannot be edited. @default false */
  get readonly(): boolean {
    return this.hasAttribute("readonly");
  }
  set readonly(isReadonly: boolean) {
    // Some frameworks set undefined for a missing value, and toggleAttribute toggles for undefined.
    this.toggleAttribute("readonly", Boolean(isReadonly));
  }

  /** The panel of files: open or closed at first, or left out. @default "closed" */
  get files(): DemoFiles {
    return readChoice(FILES_CHOICES, this.getAttribute("files"));
  }
  set files(files: DemoFiles | null) {
    this.#write("files", files);
  }

  /** The view of an answer that is JSON. @default "reading": for a person */
  get view(): DemoAnswerView {
    return readChoice(VIEWS, this.getAttribute("view"));
  }
  set view(view: DemoAnswerView | null) {
    this.#write("view", view);
  }

  /** True if the arguments have fields in place of their JSON. @default false */
  get form(): boolean {
    return this.hasAttribute("form");
  }
  set form(isForm: boolean) {
    this.toggleAttribute("form", Boolean(isForm));
  }

  /** The address of a playground that opens the demo's tree. @default "": no link */
  get playground(): string {
    return this.getAttribute("playground") ?? "";
  }
  set playground(address: string | null) {
    this.#write("playground", address);
  }

  /** The name that a screen reader speaks. @default the tool's name and "demo" */
  get label(): string {
    return this.getAttribute("label") ?? `${this.tool} demo`.trim();
  }
  set label(label: string | null) {
    this.#write("label", label);
  }

  /** Light, dark, or `auto`: the page's `color-scheme`. @default "auto" */
  get theme(): DemoTheme {
    return readChoice(THEMES, this.getAttribute("theme"));
  }
  set theme(theme: DemoTheme | null) {
    this.#write("theme", theme);
  }

  /** The folder with the runtime, relative to the page. @default "": `assets/` beside the script */
  get assets(): string {
    return this.getAttribute("assets") ?? "";
  }
  set assets(assets: string | null) {
    this.#write("assets", assets);
  }

  /** Applies the properties that were set before the element was upgraded to this class. */
  protected adoptEarlyProperties(): void {
    for (const name of Object.keys(ATTRIBUTE_OF)) {
      if (Object.hasOwn(this, name)) {
        const value: unknown = Reflect.get(this, name);
        Reflect.deleteProperty(this, name);
        Reflect.set(this, name, value);
      }
    }
  }

  #write(name: AttributeName, text: string | null | undefined): void {
    if (text === null || text === undefined) {
      this.removeAttribute(name);
    } else {
      this.setAttribute(name, text);
    }
  }
}
