/** Asks before the page fetches a tree that an address names: no link starts a request by itself. */

import { Button } from "../shell/button.tsx";
import { FileName } from "../shell/file-name.tsx";
import { type OfferedLink, offeredLink } from "../state/leading-action.ts";
import { nameHosts, nameLink, nameSender } from "../state/linked-tree.ts";

/** Stands in the middle of the page, in the place of the welcome or of the open file. */
export function LinkOffer({ offer }: { readonly offer: OfferedLink }) {
  const answer = (act: () => void) => () => {
    offeredLink.value = null;
    act();
  };
  return (
    <section class="introduction stack" aria-label="Linked tree">
      <h2>Open the tree of this link?</h2>
      <p role="status">
        This link names a tree on the web: <FileName name={nameLink(offer.link)} />. To open it, the
        page has to contact {nameHosts(offer.link)}
      </p>
      <div class="row">
        <button type="button" class="primary" onClick={answer(offer.accept)}>
          Fetch from {nameSender(offer.link)}
        </button>
        <Button onClick={answer(offer.dismiss)} words="Not now" />
      </div>
    </section>
  );
}
