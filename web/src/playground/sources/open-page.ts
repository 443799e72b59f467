/** Opens what the address names, or else what was kept, or else the sample project. */

import { escapePath } from "../../lib/spelling.ts";
import { isChanging } from "../model-tools.ts";
import { configureFrom } from "../shell/configuration-form.tsx";
import { fillCall } from "../state/call-draft.ts";
import { offeredLink } from "../state/leading-action.ts";
import { type LinkedTree, writeLink } from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";
import { keepAddress, lastCall, type PageAddress, readAddress } from "./address.ts";
import {
  bringBackTabWork,
  keepPage,
  readTabWork,
  reopenPage,
  type TabWork,
  wordLostTree,
} from "./kept-page.ts";
import { openLink } from "./link-box.tsx";
import { SAMPLES } from "./samples.ts";

export async function openPage(page: PageState): Promise<void> {
  // Read it now: the page writes the address once a tree is mounted.
  const address = readAddress(location.hash);
  const work = readTabWork();
  page.bringBack = () => bringBackTabWork(page, work);
  keepAddress(page, (next) => followAddress(page, next));
  const sample = SAMPLES.find(({ name }) => name === work?.tree);
  const { link } = address;
  if (link !== null && typeof link !== "string") {
    open(page, link, address, work);
    await page.client();
  } else if (sample === undefined && (await reopenPage(page))) {
    await useConfiguration(page, address);
  } else {
    // Also of a kept tree that could not be opened.
    const lost = page.refusal.value || wordLostTree();
    await page.mount(sample ?? SAMPLES[0]);
    page.refusal.value ||= lost;
    const shown = address.isElsewhere ? { ...address, file: null, call: null } : address;
    await showAddress(page, shown);
  }
  if (typeof link === "string") {
    page.refusal.value = `The tree in the address was not opened: ${link}`;
  }
  keepPage(page);
}

function followAddress(page: PageState, address: PageAddress): void {
  if (address.link === null || typeof address.link === "string") {
    page.refusal.value = "The address names a tree that is no longer open. Open it again.";
  } else {
    open(page, address.link, address, null);
  }
}

/**
 * Asks the visitor before a request is sent, since a link may come from a stranger.
 *
 * A tree that this tab had open before a reload is opened without a question.
 */
function open(page: PageState, link: LinkedTree, address: PageAddress, work: TabWork | null): void {
  const accept = () =>
    void openLink(page, link, {
      first: address.file === null ? undefined : null,
      onOpened: () => void showAddress(page, address),
    });
  const isOfTab = work?.tree === writeLink(link).toString();
  if (link.kind === "inside" || isOfTab) {
    accept();
    return;
  }
  page.section.value = "file";
  offeredLink.value = {
    link,
    accept,
    dismiss: () => {
      if (page.tree.value === null) {
        void page.mount(SAMPLES[0]);
      }
    },
  };
}

/** Uses the configuration of an address, or says why not. */
async function useConfiguration(page: PageState, { config }: PageAddress): Promise<void> {
  const problem = config === "" ? "" : await configureFrom(page, config);
  if (problem !== "") {
    page.refusal.value = `The configuration in the address was not used: ${problem}`;
  }
}

/** Shows the file and the call of an address; a call that came back is not made again. */
async function showAddress(page: PageState, address: PageAddress): Promise<void> {
  const { file, call } = address;
  await useConfiguration(page, address);
  if (file !== null) {
    page.showFile(escapePath(file.path), file.lines);
  }
  const last = lastCall(page);
  const isThere =
    call?.toolName === last?.toolName &&
    call?.argumentsText === last?.argumentsText &&
    call?.maxOutputBytes === last?.maxOutputBytes;
  if (call !== null && !isThere) {
    page.section.value = file === null ? "calls" : "file";
    fillCall(call);
    if (await isReading(page, call.toolName)) {
      await page.call(call, "you");
    } else {
      // The form has the fields of an offered tool alone.
      await page.offerTool(call.toolName);
    }
  }
}

/** Tells whether a call changes no file: a link may come from a stranger, and a reload repeats it. */
async function isReading(page: PageState, toolName: string): Promise<boolean> {
  const offered = await (await page.client()).listTools();
  const tool = offered.find(({ name }) => name === toolName);
  return tool === undefined ? !isChanging(toolName) : tool.annotations.readOnlyHint;
}
