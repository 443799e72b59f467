/** One box for every tree on the web, which says which hosts it contacts before it does. */

import { useSignal } from "@preact/signals";
import { type LinkedTree, nameHosts, nameLink } from "./linked-tree.ts";
import { readTypedSource } from "./typed-source.ts";

export function LinkBox({ onChoose }: { readonly onChoose: (link: LinkedTree) => void }) {
  const text = useSignal("");
  const integrity = useSignal("");
  const problem = useSignal("");
  const read = readTypedSource(text.value, integrity.value.trim());
  return (
    <form
      class="link-box stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof read === "string") {
          problem.value = read;
        } else {
          onChoose(read);
        }
      }}
    >
      <label for="link-text">A GitHub address, npm:name, or a link to an archive</label>
      <div class="row">
        <input
          id="link-text"
          type="text"
          inputMode="url"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="https://github.com/owner/repository"
          aria-describedby="link-words"
          aria-invalid={problem.value !== ""}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            problem.value = "";
          }}
        />
        <button type="submit" class="primary">
          Open
        </button>
      </div>
      <p id="link-words" class={problem.value === "" ? "dim" : "failed"} role="status">
        {problem.value || wordLink(read)}
      </p>
      <details>
        <summary>Advanced</summary>
        <label>
          Expected hash of an archive (as in HTML's integrity){" "}
          <input
            type="text"
            placeholder="sha256-…"
            spellcheck={false}
            value={integrity.value}
            onInput={(event) => {
              integrity.value = event.currentTarget.value;
            }}
          />
        </label>
      </details>
    </form>
  );
}

function wordLink(read: LinkedTree | string): string {
  return typeof read === "string"
    ? "Nothing is fetched before you press Open."
    : `Opens ${nameLink(read)} from ${nameHosts(read)}`;
}
