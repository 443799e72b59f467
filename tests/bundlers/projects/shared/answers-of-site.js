import { answersOfPage } from "./answers-of-page.js";

/** Returns the answers, that of the demo which the server rendered, and that of the server itself. */
export async function answersOfSite(client) {
  const answers = JSON.parse(await answersOfPage(client));
  const response = await fetch("/served");
  return JSON.stringify({ ...answers, served: await response.text() });
}
