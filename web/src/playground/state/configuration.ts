/** The visitor's configuration of the tools, as text: in its box, and in a link. */

import { sentenceOf } from "../../ui/error-sentence.ts";
import { parseJsonObject } from "../../ui/json.ts";
import type { PageState } from "./page-state.ts";

/** A configuration that shows in an answer at once. */
export const EXAMPLE = '{"tools": {"output": {"max_bytes": 400}}}';

/**
 * Uses the configuration that a text spells; an empty text stands for the defaults.
 *
 * Resolves with what is wrong with it, or with "". A faulty one changes nothing.
 */
export async function configureFrom(page: PageState, text: string): Promise<string> {
  const isEmpty = text.trim() === "";
  const configuration = isEmpty ? null : parseJsonObject(text);
  if (configuration === null && !isEmpty) {
    return `This is not a JSON object. Write one, such as ${EXAMPLE}.`;
  }
  try {
    await page.configure(configuration);
    return "";
  } catch (error) {
    return sentenceOf(error);
  }
}
