/** Adds a button to each block of code, which copies its text. */
import { copyText } from "../ui/copy-text.ts";
import { makeElement } from "../ui/make-element.ts";

const ANSWER_MS = 2_000;

function addButton(block: HTMLElement, code: HTMLElement): void {
  const isSession = block.classList.contains("highlight-console");
  const button = makeElement("button", { type: "button", class: "copy-button" }, "Copy");
  button.addEventListener("click", async () => {
    const isCopied = await copyText(textToCopy(code.textContent, isSession));
    button.textContent = isCopied ? "Copied" : "Not allowed";
    setTimeout(() => {
      button.textContent = "Copy";
    }, ANSWER_MS);
  });
  block.append(button);
}

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>("article div[class*='highlight-']")) {
    const code = block.querySelector("pre");
    if (code) {
      addButton(block, code);
    }
  }
}

/**
 * Returns what a reader pastes: a block of code as it is; of a session in a shell, the commands
 * without their prompts and without what they print.
 */
export function textToCopy(text: string, isSession: boolean): string {
  if (!isSession) {
    return text;
  }
  const commands = text.split("\n").filter((line) => line.startsWith("$ "));
  return commands.map((line) => `${line.slice(2)}\n`).join("");
}
