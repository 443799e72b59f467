/** The view in which a model explores the mounted tree before one's eyes. */

import { makeElement } from "../make-element.ts";
import type { Session } from "../session.ts";

/** What the panel needs of the page around it. */
export interface AgentHost {
  readonly session: Promise<Session>;
  /** Resolves when no mount is under way. */
  readonly settled: () => Promise<void>;
  /** Somebody wants one of the agent's calls in the console. */
  readonly onOpenCall?: (call: {
    readonly toolName: string;
    readonly argumentsText: string;
  }) => void;
}

/** Shows a conversation about the tree; `element` is put into the page once. */
export class AgentPanel {
  readonly element: HTMLElement;

  constructor(_host: AgentHost) {
    this.element = makeElement("div", { class: "agent-panel" });
  }
}
