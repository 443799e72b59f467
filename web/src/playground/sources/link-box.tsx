/** One box for every tree on the web, which says which hosts it contacts before it does. */

import { useState } from "preact/hooks";
import { type LinkedTree, nameHosts, nameLink } from "./linked-tree.ts";
import { readTypedSource } from "./typed-source.ts";

export function LinkBox({ onChoose }: { readonly onChoose: (link: LinkedTree) => void }) {
  const [text, setText] = useState("");
  const [integrity, setIntegrity] = useState("");
  const [problem, setProblem] = useState("");
  const read = readTypedSource(text, integrity.trim());
  return (
    <form
      class="link-box stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof read === "string") {
          setProblem(read);
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
          aria-invalid={problem !== ""}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setProblem("");
          }}
        />
        <button type="submit" class="primary">
          Open
        </button>
      </div>
      <p id="link-words" class={problem === "" ? "dim" : "failed"} role="status">
        {problem || wordLink(read)}
      </p>
      <details>
        <summary>Advanced</summary>
        <label>
          Expected hash of an archive (as in HTML's integrity){" "}
          <input
            type="text"
            placeholder="sha256-…"
            spellcheck={false}
            value={integrity}
            onInput={(event) => setIntegrity(event.currentTarget.value)}
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
