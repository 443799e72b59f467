/** One box for every tree on the web, which says which hosts it contacts before it does. */

import { useState } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { checkLink, type LinkedTree, nameHosts, nameLink } from "../state/linked-tree.ts";

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
        <Button type="submit" class="primary" words="Open" />
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

const GITHUB_ADDRESS =
  /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/(?:tree|blob)\/([^/?#]+).*)?\/?$/;
const NPM_ADDRESS =
  /^https:\/\/(?:www\.)?npmjs\.com\/package\/((?:@[^/]+\/)?[^/?#]+)(?:\/v\/([^/?#]+))?\/?$/;
const PREFIXED = /^(npm|github):(.+)$/;

/** The name of a GitHub repository alone; a package of npm needs its prefix. */
const REPOSITORY = /^[A-Za-z0-9][\w-]*\/[\w.-]+(?:@\S+)?$/;

/**
 * Returns the tree that a text names, or what is wrong with it.
 *
 * `https://github.com/owner/repo/tree/branch`, `owner/repo@v1`, `npm:fflate`, or the address of an
 * archive.
 */
export function readTypedSource(text: string, integrity = ""): LinkedTree | string {
  const typed = text.trim();
  const [, owner, repository, branch] = GITHUB_ADDRESS.exec(typed) ?? [];
  if (owner !== undefined) {
    const version = branch === undefined ? "" : `@${decodeURIComponent(branch)}`;
    return checkLink("github", `${owner}/${repository}${version}`);
  }
  const [, name, version] = NPM_ADDRESS.exec(typed) ?? [];
  if (name !== undefined) {
    return checkLink("npm", version === undefined ? name : `${name}@${version}`);
  }
  const [, kind, specifier = ""] = PREFIXED.exec(typed) ?? [];
  if (kind === "npm" || kind === "github") {
    return checkLink(kind, specifier);
  }
  if (REPOSITORY.test(typed)) {
    return checkLink("github", typed);
  }
  return /^https?:/i.test(typed) ? checkLink("url", typed, integrity) : HOW_TO_NAME;
}

const HOW_TO_NAME =
  "Paste the address of a GitHub repository or of an archive, or write npm: and the name of a package.";
