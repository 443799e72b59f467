/** The new playground's page over the real tools, and its model over a scripted server. */
import { AgentState } from "../../src/playground/model/agent-state.ts";
import { PageState } from "../../src/playground/state/page-state.ts";
import type { TimelineItem } from "../../src/playground/state/timeline.ts";
import { connectRealClient, PROJECT } from "./real-client.ts";

export const KEY = "sk-of-the-person";

/** Starts the page; mount a tree on it before each test. */
export function startPage(): PageState {
  return new PageState({ connect: connectRealClient, fetchFile: (address) => fetch(address) });
}

/** Mounts the project anew, which empties the timeline. */
export async function mountProject(page: PageState, entries = PROJECT): Promise<void> {
  await page.mount({ name: "Project", open: async () => ({ entries }) });
}

/** Returns the state of a panel whose model is one of the server's. */
export function chooseModel(page: PageState, origin: string, model: string): AgentState {
  const state = new AgentState(page);
  state.settings.set({ preset: "own", address: `${origin}/v1`, model });
  state.settings.set({ key: KEY });
  return state;
}

export async function ask(state: AgentState, question = "What is in /repo?"): Promise<void> {
  state.question.value = question;
  await state.ask();
}

/** Returns what the timeline shows, one line for each item. */
export function shown(page: PageState): readonly string[] {
  return page.timeline.items.value.map(showItem);
}

function showItem(item: TimelineItem): string {
  switch (item.kind) {
    case "call": {
      const standing = item.standing.value;
      const answer = standing.kind === "answered" ? standing.result.content : standing.kind;
      return `${item.by} calls ${item.toolName} ${item.argumentsText}: ${answer.split("\n").at(-1)}`;
    }
    case "consent":
      return `consent ${item.isAllowed.value}: ${item.sentence}`;
    case "review":
      return "review";
    default:
      return `${item.by} ${item.kind}: ${item.text.value}`;
  }
}
