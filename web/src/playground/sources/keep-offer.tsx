/** Asks once whether trees from this device are kept for a reload, and lets the visitor forget. */

import { formatBytes } from "../../ui/format-quantities.ts";
import { Button } from "../shell/button.tsx";
import type { PageState } from "../state/page-state.ts";
import { keptBytes } from "./device-trees.ts";
import { chooseToKeep, keepable, keeps } from "./kept-page.ts";

export function KeepOffer({ page }: { readonly page: PageState }) {
  const tree = keepable(page);
  if (tree === null || keeps.value !== null) {
    return null;
  }
  const bytes = keptBytes(tree.device);
  return (
    <section class="keep-offer row" aria-label="Keep this tree">
      <p>
        Keep this tree and its calls in this browser, so that they are here after a reload
        {bytes === null ? "" : ` (${formatBytes(bytes)})`}?
      </p>
      <div class="row">
        <Button onClick={() => chooseToKeep(true)} words="Keep" />
        <Button onClick={() => chooseToKeep(false)} words="Do not keep" />
      </div>
    </section>
  );
}

export function KeepChoice() {
  return keeps.value === null ? null : (
    <label>
      <input
        type="checkbox"
        checked={keeps.value}
        onChange={(event) => chooseToKeep(event.currentTarget.checked)}
      />{" "}
      Keep trees in this browser for a reload
    </label>
  );
}
