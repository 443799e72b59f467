/** The attributes of a demo as properties. */
import type { ConfigDocument } from "../index.ts";
import {
  ATTRIBUTE_OF,
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
export interface AttributeProperties extends HTMLElement {
  /** The tool to call. */
  get tool(): string;
  set tool(name: string | null);
  /** The arguments as JSON text; also accepts an object. @default "{}" */
  get arguments(): string;
  set arguments(args: string | object | null);
  /** Address of an archive or a manifest, relative to the page. */
  get src(): string;
  set src(address: string | null);
  /** The digest that the bytes at `src` must have, such as `sha384-...`. */
  get integrity(): string;
  set integrity(integrity: string | null);
  /** A package of the npm registry: `name@version`. */
  get npm(): string;
  set npm(specifier: string | null);
  /** A repository on GitHub: `owner/repo@ref`. */
  get github(): string;
  set github(specifier: string | null);
  /** The path that the tree is mounted at. @default "/repo" */
  get mountPath(): string;
  set mountPath(path: string | null);
  /** The configuration as JSON text; also accepts an object. @default "{}" */
  get config(): string;
  set config(config: string | ConfigDocument | null);
  /** The most bytes that an answer may have; null uses the configuration's limit. */
  maxOutputBytes: number | null;
  /** When the demo starts without a click. @default "click": never */
  get loading(): DemoLoading;
  set loading(loading: DemoLoading | null);
  /** True if the arguments cannot be edited. @default false */
  readonly: boolean;
  /** The panel of files: open or closed at first, or left out. @default "closed" */
  get files(): DemoFiles;
  set files(files: DemoFiles | null);
  /** The view of an answer that is JSON. @default "reading": for a person */
  get view(): DemoAnswerView;
  set view(view: DemoAnswerView | null);
  /** True if the arguments have fields in place of their JSON. @default false */
  form: boolean;
  /** The address of a playground that opens the demo's tree. @default "": no link */
  get playground(): string;
  set playground(address: string | null);
  /** The name that a screen reader speaks. @default the tool's name and "demo" */
  get label(): string;
  set label(label: string | null);
  /** Light, dark, or `auto`: the page's `color-scheme`. @default "auto" */
  get theme(): DemoTheme;
  set theme(theme: DemoTheme | null);
  /** The folder with the runtime, relative to the page. @default "": `assets/` beside the script */
  get assets(): string;
  set assets(assets: string | null);
}

type Name = Exclude<keyof typeof ATTRIBUTE_OF, "source">;
type Demo = AttributeProperties;

/** Returns the value of a property from the text of its attribute; without one, "" or the text. */
const READS: { readonly [Own in Name]?: (text: string | null, demo: Demo) => Demo[Own] } = {
  arguments: (text) => text ?? "{}",
  mountPath: (text) => text ?? DEFAULT_MOUNT_PATH,
  config: (text) => text ?? "{}",
  maxOutputBytes: (text) => (text === null ? null : Number(text)),
  loading: (text) => readChoice(LOADINGS, text),
  readonly: (text) => text !== null,
  files: (text) => readChoice(FILES_CHOICES, text),
  view: (text) => readChoice(VIEWS, text),
  form: (text) => text !== null,
  label: (text, { tool }) => text ?? `${tool} demo`.trim(),
  theme: (text) => readChoice(THEMES, text),
};

/** Returns the text of an attribute; undefined if the attribute goes. */
function textOf(name: string, value: unknown): string | undefined {
  if (name === "readonly" || name === "form") {
    return value ? "" : undefined;
  }
  if (typeof value === "object" && value !== null) {
    return name === "arguments" ? renderArguments(value) : JSON.stringify(value);
  }
  return value === null || value === undefined ? undefined : String(value);
}

/** The class has its properties from the table, and their types from the interface. */
export const AttributeProperties = class extends ElementBase {} as new () => Demo;

for (const [name, attribute] of Object.entries(ATTRIBUTE_OF)) {
  if (name !== "source") {
    Object.defineProperty(AttributeProperties.prototype, name, {
      configurable: true,
      get(this: Demo): unknown {
        const text = this.getAttribute(attribute);
        const read = READS[name as Name];
        return read === undefined ? (text ?? "") : read(text, this);
      },
      set(this: Demo, value: unknown) {
        const text = textOf(name, value);
        if (text === undefined) {
          this.removeAttribute(attribute);
        } else {
          this.setAttribute(attribute, text);
        }
      },
    });
  }
}
