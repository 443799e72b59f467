import { connect } from "treeglass";
import { answersOf } from "./answers.js";

async function main() {
  const client = await connect({ assets: "/treeglass/" });
  document.querySelector("pre").textContent = await answersOf(client);
}

main();
