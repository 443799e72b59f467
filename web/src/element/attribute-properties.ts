/** The attributes of a demo as properties. */
import type { ConfigDocument } from "../index.ts";
import {
  type AttributeName,
  DEFAULT_MOUNT_PATH,
  type DemoFiles,
  type DemoLoading,
  type DemoTheme,
  FILES_CHOICES,
  LOADINGS,
  readChoice,
  renderArguments,
  THEMES,
} from "./attributes.ts";

/**
 * `HTMLElement`, or an empty class outside a browser, so that a server can import this module to
 * render a page.
 */
// It is never constructed without a document.
export const ElementBase = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** Mirrors every attribute; null or undefined removes it. */
export class AttributeProperties extends ElementBase {
  /** The tool to call. */
  get tool(): string {
    return this.getAttribute("tool") ?? "";
  }
  set tool(name: string | null) {
    this.#write("tool", name);
  }

  /** The arguments as JSON text; an object may be set as well. @default "{}" */
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

  /** The hash of the bytes at `src`. */
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

  /** Where the tree is mounted. @default "/repo" */
  get mountPath(): string {
    return this.getAttribute("mount-path") ?? DEFAULT_MOUNT_PATH;
  }
  set mountPath(path: string | null) {
    this.#write("mount-path", path);
  }

  /** The configuration as JSON text; an object may be set as well. @default "{}" */
  get config(): string {
    return this.getAttribute("config") ?? "{}";
  }
  set config(config: string | ConfigDocument | null) {
    this.#write("config", typeof config === "object" && config ? JSON.stringify(config) : config);
  }

  /** Most bytes of the answer; null leaves it to the configuration. */
  get maxOutputBytes(): number | null {
    const text = this.getAttribute("max-output-bytes");
    return text === null ? null : Number(text);
  }
  set maxOutputBytes(maxOutputBytes: number | null) {
    this.#write("max-output-bytes", maxOutputBytes?.toString());
  }

  /** When the demo starts by itself. @default "click": never */
  get loading(): DemoLoading {
    return readChoice(LOADINGS, this.getAttribute("loading"));
  }
  set loading(loading: DemoLoading | null) {
    this.#write("loading", loading);
  }

  /** Whether the arguments can only be read. @default false */
  get readonly(): boolean {
    return this.hasAttribute("readonly");
  }
  set readonly(isReadonly: boolean) {
    // Some frameworks set a missing value to undefined, which would toggle the attribute.
    this.toggleAttribute("readonly", Boolean(isReadonly));
  }

  /** Whether the tree of files is offered, and whether it is open at first. @default "closed" */
  get files(): DemoFiles {
    return readChoice(FILES_CHOICES, this.getAttribute("files"));
  }
  set files(files: DemoFiles | null) {
    this.#write("files", files);
  }

  /** The name of the demo for screen readers. @default the tool's name and "demo" */
  get label(): string {
    return this.getAttribute("label") ?? `${this.tool} demo`.trim();
  }
  set label(label: string | null) {
    this.#write("label", label);
  }

  /** Light, dark, or the page's `color-scheme`. @default "auto" */
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

  #write(name: AttributeName, text: string | null | undefined): void {
    if (text === null || text === undefined) {
      this.removeAttribute(name);
    } else {
      this.setAttribute(name, text);
    }
  }
}
