/** One box for every tree on the web, which says which hosts it contacts before it does. */

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { escapePath } from "../../lib/spelling.ts";
import { Button } from "../shell/button.tsx";
import {
  checkLink,
  choiceOfLink,
  type LinkedTree,
  nameHosts,
  nameLink,
} from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";

interface FailedLink {
  readonly link: LinkedTree;
  readonly sentence: string;
  /** Called once the tree is open after all. */
  readonly onOpened: () => void;
}

/** The tree that could not be opened, and why; null without one. */
export const failedLink = signal<FailedLink | null>(null);

/** Opens a tree; if that fails, the dialog has its address and the reason, and can try again. */
export async function openLink(
  page: PageState,
  link: LinkedTree,
  onOpened: () => void = () => undefined,
): Promise<void> {
  failedLink.value = null;
  page.refusal.value = "";
  const isMounted = await page.open(choiceOfLink(link));
  if (isMounted) {
    page.isChoosingTree.value = false;
    onOpened();
  } else if (page.refusal.value !== "" && link.kind !== "inside") {
    failedLink.value = { link, sentence: page.refusal.value, onOpened };
    page.refusal.value = "";
    page.isChoosingTree.value = true;
  }
}

export function LinkBox({ page }: { readonly page: PageState }) {
  const [text, setText] = useState(() => spellSource(failedLink.value?.link));
  const [integrity, setIntegrity] = useState(failedLink.value?.link.integrity ?? "");
  const [problem, setProblem] = useState("");
  const [isOpening, setOpening] = useState(false);
  const read = readTypedSource(text, integrity.trim());
  const sentence = problem || failedLink.value?.sentence || "";
  const open = async (link: LinkedTree) => {
    setOpening(true);
    await openLink(page, link, failedLink.value?.onOpened);
    setOpening(false);
  };
  return (
    <form
      class="link-box stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof read === "string") {
          setProblem(read);
        } else {
          void open(read);
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
          aria-invalid={sentence !== ""}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setProblem("");
            failedLink.value = null;
          }}
        />
        <Button
          type="submit"
          class="primary"
          disabled={isOpening}
          words={failedLink.value === null ? "Open" : "Try again"}
        />
        {isOpening && <Button onClick={() => page.cancelMount()} words="Cancel" />}
      </div>
      <p id="link-words" class={sentence === "" ? "dim" : "failed"} role="status">
        {sentence || (isOpening ? page.status.value.words : wordLink(text, read))}
      </p>
      {isOpening && <p class="figure dim">{page.status.value.amount}</p>}
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

/** Says what Open does with the typed text, and what of it does not count. */
export function wordLink(text: string, read: LinkedTree | string): string {
  if (typeof read === "string") {
    return "Nothing is fetched before you press Open.";
  }
  // A branch whose name has a slash is cut too: the address does not tell where it ends.
  const below = GITHUB_ADDRESS.exec(text.trim())?.[4];
  const rest = below === undefined ? "" : ` The rest, ${escapePath(below)}, is left out.`;
  return `Opens ${nameLink(read)} from ${nameHosts(read)}${rest}`;
}

const GITHUB_ADDRESS =
  /^https:\/\/github\.com\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/(?:tree|blob)\/([^/?#]+)(?:\/([^?#]+))?.*)?\/?$/;
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

/** Returns the text that names a tree; the inverse of `readTypedSource`. */
function spellSource(link?: LinkedTree): string {
  return link === undefined || link.kind === "url"
    ? (link?.specifier ?? "")
    : `${link.kind}:${link.specifier}`;
}

const HOW_TO_NAME =
  "Paste the address of a GitHub repository or of an archive, or write npm: and the name of a package.";
