/** The text that the button of a block of code copies. */

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
