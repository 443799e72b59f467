/** One demo: joins its attributes, its runs and its view. */
import type { ToolResult, TreeglassClient, TreeSource } from "../index.ts";
import type { AttributeProperties } from "./attribute-properties.ts";
import { type AttributeName, checkNames, Problem, readFileTools } from "./attributes.ts";
import type { MenuOffer } from "./bar/menu.ts";
import { DemoView } from "./demo-view.ts";
import { tell } from "./element-base.ts";
import type { DemoEvents } from "./framework-types.ts";
import { type DemoCall, type DemoParts, readCall, readMountRequest } from "./runs/demo-call.ts";
import { DemoRuns } from "./runs/demo-runs.ts";
import { loadViewsModule } from "./runs/late-modules.ts";
import { SharedMounts } from "./runs/shared-mounts.ts";

/** The size of the tools, compressed, which the first run of a page loads. */
const COST = "4.2 MB";

/** Shared by all demos of the page that this module defines. */
const mounts = new SharedMounts();

export interface DemoElement extends AttributeProperties {
  run(): Promise<ToolResult>;
  reset(): void;
}

/** Draws an element and makes its calls. */
export class Demo {
  readonly runs: DemoRuns;
  /** The tree that a script set; it comes before the attributes. */
  source: TreeSource | null = null;
  readonly #element: DemoElement;
  readonly #view: DemoView;
  readonly #hideCost = () => {
    this.#view.bar.cost = "";
  };

  constructor(element: DemoElement, root: ShadowRoot) {
    this.#element = element;
    this.#view = new DemoView(root, {
      onRun: () => void element.run(),
      onStop: () => this.runs.stop(),
      onReset: () => element.reset(),
      openTree: () => this.runs.open(),
      onEdit: () => this.#noteEdit(),
      readWrittenCall: () => ({
        toolName: element.tool,
        argumentsText: element.arguments,
        mountPath: element.mountPath,
      }),
      openMenu: () => this.#openMenu(),
    });
    this.runs = this.#makeRuns();
    this.showWritten();
    this.#view.label = element.label;
    this.#view.answer.view = element.view;
    this.#showFiles();
  }

  showWritten(): void {
    this.#view.arguments.text = this.#element.arguments;
  }

  enter(): void {
    this.#view.bar.cost = mounts.hasStarted ? "" : COST;
    mounts.whenStarted(this.#hideCost);
    this.#view.arguments.fit();
  }

  /** The element has left the page, perhaps to come back at once. */
  leave(): void {
    mounts.forget(this.#hideCost);
  }

  end(): void {
    this.runs.leave();
    this.#view.files.forget();
  }

  follow(name: AttributeName): void {
    const element = this.#element;
    switch (name) {
      case "tool":
        this.#view.tool = element.tool;
        this.#view.label = element.label;
        break;
      case "label":
        this.#view.label = element.label;
        break;
      case "arguments":
        this.showWritten();
        break;
      case "readonly":
        this.#view.isReadonly = element.readonly;
        break;
      case "files":
      case "config":
        this.#showFiles();
        break;
      case "view":
        this.#view.answer.view = element.view;
        break;
      case "form":
        void this.#view.arguments.showForm(element.form);
        break;
    }
  }

  tell<Name extends keyof DemoEvents>(name: Name, detail: DemoEvents[Name]): void {
    tell(this.#element, name, detail);
  }

  #showFiles(): void {
    const { canList, canRead } = readFileTools(this.#element.getAttribute("config"));
    this.#view.files.canRead = canRead;
    this.#view.showFiles(canList ? this.#element.files : "none");
  }

  #makeRuns(): DemoRuns {
    return new DemoRuns(mounts, {
      readMountRequest: () => this.#checkNames() ?? readMountRequest(this.#parts()),
      readCall: () => this.#readCall(),
      onState: (state) => {
        this.#view.enter(state);
        this.#noteEdit();
      },
      onProgress: (event) => {
        this.#view.progress.show(event);
        this.tell("treeglass-progress", event);
      },
      onOpen: (tree) => {
        void this.#view.files.offer(tree);
        void this.#readSchema(tree.client);
      },
      onAnswer: (call, result) => {
        this.#view.showAnswer(call, this.#element.mountPath, result);
        this.tell("treeglass-result", { tool: call.tool, arguments: call.arguments, result });
      },
      onFailure: (failure) => {
        this.#view.showFailure(failure);
        this.tell("treeglass-failure", failure);
      },
    });
  }

  #parts(): DemoParts {
    const inline = this.#element.querySelector(':scope > script[type="application/json"]');
    return {
      read: (name) => this.#element.getAttribute(name),
      source: this.source,
      inlineEntries: inline?.textContent ?? null,
    };
  }

  #readCall(): DemoCall | Problem {
    const read = (name: AttributeName) => this.#element.getAttribute(name);
    return this.#checkNames() ?? readCall(read, this.#view.arguments.text);
  }

  #checkNames(): Problem | null {
    const properties: string[] = [];
    // Unlike `Object.keys`, also names those that an element inherits.
    for (const name in this.#element) {
      properties.push(name);
    }
    return checkNames(this.#element.getAttributeNames(), properties);
  }

  /** Gives the form what the tool says of its arguments; a form works without it, too. */
  async #readSchema(client: TreeglassClient): Promise<void> {
    if (this.#element.form) {
      const tools = await client.listTools().catch(() => []);
      const own = tools.find(({ name }) => name === this.#element.tool);
      this.#view.arguments.schema = own?.inputSchema;
    }
  }

  async #openMenu(): Promise<MenuOffer | null> {
    const request = readMountRequest(this.#parts());
    const call = this.#readCall();
    if (request instanceof Problem || call instanceof Problem) {
      return null;
    }
    const views = await loadViewsModule();
    const { playground } = this.#element;
    return {
      program: views.renderDemoProgram(request, call),
      playgroundAddress: views.addressInPlayground(playground, request, call),
    };
  }

  #noteEdit(): void {
    const isWritten = this.#view.arguments.text === this.#element.arguments;
    this.#view.bar.canReset = !isWritten || this.runs.state !== "static";
  }
}
