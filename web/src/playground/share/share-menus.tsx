/** The menus by which a visitor takes along a link, the timeline, the changes, or a program. */

import { useRef } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { Menu } from "../shell/menu.tsx";
import { renderAddress } from "../sources/address.ts";
import { keepable } from "../sources/kept-page.ts";
import { SAMPLES } from "../sources/samples.ts";
import type { LinkedTree } from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";
import { linkOfDeviceTree } from "./device-link.ts";
import { renderTimeline } from "./timeline-markdown.ts";
import { UseDialog } from "./use-dialog.tsx";

export function ShareMenus({ page }: { readonly page: PageState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const tree = page.tree.value;
  const hasAddress = tree?.choice.link !== undefined || tree?.choice === SAMPLES[0];
  return (
    <>
      <Menu label="Share">
        {hasAddress ? (
          <CopyButton label="Copy link" text={() => addressOf(page)} />
        ) : (
          <DeviceTreeLink page={page} />
        )}
        <CopyButton
          label="Copy calls as Markdown"
          text={() => renderTimeline(tree?.choice.name ?? "", page.timeline.items.value)}
        />
        {page.changes.value.entries.length > 0 && (
          <CopyButton label="Copy changes as a patch" text={() => patchOf(page)} />
        )}
      </Menu>
      <Button aria-haspopup="dialog" onClick={() => dialog.current?.showModal()} words="Use in…" />
      <UseDialog page={page} dialog={dialog} />
    </>
  );
}

/** A tree on the visitor's device has no address; a small one fits into a link. */
function DeviceTreeLink({ page }: { readonly page: PageState }) {
  const device = keepable(page);
  return (
    <>
      {device !== null && !page.isAlone && (
        <CopyButton
          label="Copy link with the files inside"
          text={async () => addressOf(page, await linkOfDeviceTree(page, device))}
        />
      )}
      <p class="dim">
        This tree is on your device
        {device === null || page.isAlone ? ", so no link leads to it" : ""}.
        {!page.isAlone && (
          <>
            {" "}
            For a larger one,{" "}
            <a href="./docs/single-file.html" target="_blank" rel="noopener">
              make one HTML file with the tree inside
            </a>
            .
          </>
        )}
      </p>
    </>
  );
}

function addressOf(page: PageState, link?: LinkedTree): string {
  const address = new URL(location.href);
  address.hash = renderAddress(page, link);
  return address.href;
}

async function patchOf(page: PageState): Promise<string> {
  const client = await page.client();
  return client.exportChanges({ format: "patch" });
}
