/** The menus by which a visitor takes along a link, the timeline, the changes, or a program. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { sentenceOf } from "../../ui/error-sentence.ts";
import { formatBytes, formatCount } from "../../ui/format-quantities.ts";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { Menu } from "../shell/menu.tsx";
import { renderAddress } from "../sources/address.ts";
import { SAMPLES } from "../sources/samples.ts";
import type { LinkedTree } from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";
import { linkOfTree } from "./device-link.ts";
import { ProgramTabs } from "./program-tabs.tsx";
import { renderTimeline } from "./timeline-markdown.ts";

/** The size of a page that is one file, without its tree. */
const ONE_FILE_BYTES = 17_900_000;

/** Some chats and mail programs cut a longer link. */
const SAFE_CHARACTERS = 4000;

export function ShareMenus({ page }: { readonly page: PageState }) {
  const isSharing = useSignal(false);
  const isUsing = useSignal(false);
  const choice = page.tree.value?.choice;
  return (
    <>
      <Menu
        label="Share"
        onToggle={(isOpen) => {
          isSharing.value = isOpen;
        }}
      >
        {isSharing.value && <LinkToCopy page={page} />}
        <CopyButton
          label="Copy calls as Markdown"
          text={() => renderTimeline(choice?.name ?? "", page.timeline.items.value)}
        />
        {page.changes.value.entries.length > 0 && (
          <CopyButton label="Copy changes as a patch" text={() => patchOf(page)} />
        )}
      </Menu>
      <Button
        aria-haspopup="dialog"
        onClick={() => {
          isUsing.value = true;
        }}
        words="Use in…"
      />
      <Dialog
        class="use-dialog"
        title="Use this in your program"
        isOpen={isUsing.value}
        onClose={() => {
          isUsing.value = false;
        }}
      >
        <ProgramTabs page={page} />
      </Dialog>
    </>
  );
}

function LinkToCopy({ page }: { readonly page: PageState }) {
  const choice = page.tree.value?.choice;
  const link = choice?.link ?? choice?.beside;
  if (link === undefined && choice !== SAMPLES[0]) {
    return <DeviceTreeLink page={page} />;
  }
  // The first sample opens without a link.
  const own = choice === SAMPLES[0] ? undefined : link;
  return <CopyButton label="Copy link" text={() => addressOf(page, own)} />;
}

/** A tree on the visitor's device has no address; a small one fits into a link. */
function DeviceTreeLink({ page }: { readonly page: PageState }) {
  const packed = useSignal<{ readonly address: string } | string>("Packing the files…");
  useEffect(() => {
    void linkOfTree(page).then(
      (link) => {
        packed.value = { address: addressOf(page, link) };
      },
      (error: unknown) => {
        packed.value = sentenceOf(error);
      },
    );
  }, [page, packed]);
  if (page.isAlone) {
    return <p class="dim">This tree is on your device, so no link leads to it.</p>;
  }
  const { value } = packed;
  const characters = typeof value === "string" ? 0 : value.address.length;
  return (
    <>
      {typeof value === "string" ? (
        <p>{value}</p>
      ) : (
        <CopyButton
          label={`Copy link with the files inside (${formatCount(characters)} characters)`}
          text={() => value.address}
        />
      )}
      {characters > SAFE_CHARACTERS && (
        <p class="dim">Some chats and mail programs cut a link of this length.</p>
      )}
      <p class="dim">
        The tree is on your device. You can also{" "}
        <a href="./docs/single-file.html" target="_blank" rel="noopener">
          make one HTML file with the tree inside
        </a>{" "}
        (about {formatBytes(ONE_FILE_BYTES + (page.tree.value?.report.bytes ?? 0))}), or copy the
        calls.
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
