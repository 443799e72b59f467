/**
 * The element in JSX of React, Preact and Solid, and in templates of Vue.
 *
 * None of these has to be installed: what an augmentation cannot find is ignored.
 */
import type {
  ConfigDocument,
  TimedProgressEvent,
  ToolName,
  ToolResult,
  TreeSource,
} from "../index.ts";
import type { ATTRIBUTE_OF } from "./attributes.ts";
import type { DemoFailure } from "./runs/demo-runs.ts";

/** Not imported, since the module of the class exports the types of this one. */
type TreeglassDemo = HTMLElementTagNameMap["treeglass-demo"];

/** The attributes that take their property's type. */
type PlainProps = {
  [Name in Exclude<
    keyof typeof ATTRIBUTE_OF,
    "tool" | "arguments" | "source" | "config" | "maxOutputBytes" | "readonly" | "form"
  >]?: TreeglassDemo[Name] | null | undefined;
};

/** The properties of a demo, and its attributes, as JSX and templates set them. */
export interface DemoProps extends PlainProps {
  tool?: ToolName | (string & {}) | null | undefined;
  arguments?: string | object | null | undefined;
  source?: string | TreeSource | null | undefined;
  "mount-path"?: string | null | undefined;
  config?: string | ConfigDocument | null | undefined;
  maxOutputBytes?: number | `${number}` | null | undefined;
  "max-output-bytes"?: number | `${number}` | null | undefined;
  readonly?: boolean | undefined;
  form?: boolean | undefined;
}

/** The detail of `treeglass-result`. */
export interface DemoAnswer {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: ToolResult;
}

/** The `detail` of each event of a demo. */
export interface DemoEvents {
  readonly "treeglass-progress": TimedProgressEvent;
  readonly "treeglass-result": DemoAnswer;
  readonly "treeglass-failure": DemoFailure;
  readonly "treeglass-reset": null;
}

/** A listener of one event of a demo. */
export type DemoListener<Name extends keyof DemoEvents> =
  | ((event: CustomEvent<DemoEvents[Name]>) => void)
  | undefined;

/** `ontreeglass-result` and the like in React and Preact, `on:treeglass-result` in Solid. */
export type DemoListeners<Prefix extends "on" | "on:"> = {
  [Name in keyof DemoEvents as `${Prefix}${Name}`]?: DemoListener<Name>;
};

/** `onTreeglassResult` and the like, which Vue makes of `@treeglass-result`. */
export type VueDemoListeners = {
  [Name in keyof DemoEvents as Name extends `treeglass-${infer Rest}`
    ? `onTreeglass${Capitalize<Rest>}`
    : never]?: DemoListener<Name>;
};

// TypeScript ignores the next lines where a framework is not installed; their types are not used
// there. Only the line after such a comment is ignored.

/** @ts-ignore */
type ReactProps = import("react").HTMLAttributes<TreeglassDemo>;
/** @ts-ignore */
type ReactReference = import("react").ClassAttributes<TreeglassDemo>;
/** @ts-ignore */
type PreactProps = import("preact").HTMLAttributes<TreeglassDemo>;
/** @ts-ignore */
type SolidProps = import("solid-js").JSX.HTMLAttributes<TreeglassDemo>;
/** @ts-ignore */
type VueProps = import("vue").HTMLAttributes & import("vue").PublicProps;

/** @ts-ignore */
declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "treeglass-demo": ReactReference & ReactProps & DemoProps & DemoListeners<"on">;
    }
  }
}

/** @ts-ignore */
declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "treeglass-demo": PreactProps & DemoProps & DemoListeners<"on">;
    }
  }
}

/** @ts-ignore */
declare module "solid-js/jsx-runtime" {
  namespace JSX {
    interface IntrinsicElements {
      "treeglass-demo": SolidProps & DemoProps & DemoListeners<"on:">;
    }
  }
}

/** @ts-ignore */
declare module "vue" {
  interface GlobalComponents {
    "treeglass-demo": new () => TreeglassDemo & {
      $props: VueProps & DemoProps & VueDemoListeners;
    };
  }
}
