import { answersOf } from "./answers.js";

/** Returns the answers, and that of the demo which the page holds. */
export async function answersOfPage(client) {
  const answers = JSON.parse(await answersOf(client));
  const { content } = await document.querySelector("treeglass-demo").run();
  return JSON.stringify({ ...answers, rendered: content });
}
