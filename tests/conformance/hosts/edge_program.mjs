// The part of a host that is a program: one job on each line of its input, one answer on each line
// of its output. `browser_page.mjs` lies beside it, with the package's entry for programs.
import { createInterface } from "node:readline";
import process from "node:process";
import { answerCalls, close, startMs } from "./browser_page.mjs";

for await (const line of createInterface({ input: process.stdin })) {
	const job = JSON.parse(line);
	console.log(JSON.stringify(job === "startMs" ? startMs() : await answerCalls(job)));
}
await close();
