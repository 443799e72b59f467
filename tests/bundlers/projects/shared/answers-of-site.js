import { answersOf } from "./answers.js";

/** Returns the answers, that of the demo which the server rendered, and that of the server itself. */
export async function answersOfSite(client) {
  const answers = JSON.parse(await answersOf(client));
  const { content } = await document.querySelector("treeglass-demo").run();
  const response = await fetch("/served");
  return JSON.stringify({ ...answers, rendered: content, served: await response.text() });
}
