/** The open file: its content, what a model reads of it, and what is proposed for it. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { estimateTokens } from "../../adapters/output-profile.ts";
import { formatBytes, formatCounted } from "../../ui/format-quantities.ts";
import { Button } from "../shell/button.tsx";
import { CopyButton } from "../shell/copy-button.tsx";
import { FileName } from "../shell/file-name.tsx";
import { Tabs } from "../shell/tabs.tsx";
import { LinkOffer } from "../sources/link-offer.tsx";
import { isWelcomed } from "../sources/samples.ts";
import { offeredLink } from "../state/leading-action.ts";
import { pathBelowMount } from "../state/marks.ts";
import type { PageState } from "../state/page-state.ts";
import { useAnswer } from "../state/use-answer.ts";
import { virtualPath } from "../tool-notes.ts";
import { ChangeView } from "./change-view.tsx";
import { CodeView } from "./code-view.tsx";
import { type FileContent, PIECE_BYTES, readContent } from "./file-content.ts";
import { Introduction, TreeStart } from "./introduction.tsx";
import { ModelView, readAsModel } from "./model-view.tsx";

export function FilePane({ page }: { readonly page: PageState }) {
  const file = page.openFile.value;
  const tree = page.tree.value;
  if (offeredLink.value !== null) {
    return <LinkOffer offer={offeredLink.value} />;
  }
  if (file !== null) {
    return <OpenedFile page={page} path={file.path} key={file.path} />;
  }
  return tree === null || isWelcomed(page) ? (
    <Introduction page={page} />
  ) : (
    <TreeStart page={page} tree={tree} />
  );
}

function OpenedFile({ page, path }: { readonly page: PageState; readonly path: string }) {
  const maxBytes = useSignal(PIECE_BYTES);
  const content = useAnswer(page, [path, maxBytes.value], (client) =>
    readContent(client, virtualPath(path), maxBytes.value),
  );
  const change = page.changes.value.entries.find((each) => pathBelowMount(each.path) === path);
  const isDeleted = change?.operation === "delete";
  const tabs = [
    {
      label: change === undefined ? "File" : "As proposed",
      draw: () => <Content page={page} path={path} content={content} maxBytes={maxBytes} />,
    },
    { label: "As the model reads it", draw: () => <ModelView page={page} path={path} /> },
  ];
  const changes = { label: "Changes", draw: () => <ChangeView page={page} path={path} /> };
  return (
    <>
      <div class="file-head row">
        <h2>
          <FileName name={path} />
        </h2>
        <CopyButton text={() => path} label="Copy path" />
        <Facts found={content} />
      </div>
      <Tabs
        label="Views of the file"
        tabs={[...(isDeleted ? [] : tabs), ...(change === undefined ? [] : [changes])]}
      />
    </>
  );
}

function Facts({ found }: { readonly found: FileContent | string | null }) {
  if (found === null || typeof found === "string") {
    return null;
  }
  const lines = found.kind === "text" ? `${formatCounted(countLines(found.text), "line")} · ` : "";
  const isPart = found.kind === "text" && found.shownBytes < found.sizeBytes;
  return (
    <span class="dim">
      {isPart ? `the first ${formatBytes(found.shownBytes)} of ` : lines}
      {formatBytes(found.sizeBytes)}
    </span>
  );
}

/** A line feed at the end begins no further line, as the tools count too. */
function countLines(text: string): number {
  return text.split("\n").length - (text === "" || text.endsWith("\n") ? 1 : 0);
}

interface ContentProps {
  readonly page: PageState;
  readonly path: string;
  /** A text is why the file cannot be read. */
  readonly content: FileContent | string | null;
  readonly maxBytes: Signal<number>;
}

const NOT_READ: readonly never[] = [];

function Content({ page, path, content, maxBytes }: ContentProps) {
  if (content === null || typeof content === "string") {
    return <p class="pane-words">{content ?? "Reading…"}</p>;
  }
  if (content.kind === "image") {
    return (
      <>
        <ImageView image={content.image} name={path} />
        {content.sizeBytes <= MAX_COUNTED_BYTES && <ImageTokens page={page} path={path} />}
      </>
    );
  }
  if (content.kind === "binary") {
    return (
      <p class="pane-words">
        This file is no text: {formatBytes(content.sizeBytes)}. The other tab shows what a model
        would get of it.
      </p>
    );
  }
  const lines = page.openFile.value?.lines ?? null;
  const read = page.marks.byPath.value.get(path) ?? NOT_READ;
  return (
    <>
      {content.isLossy && (
        <p class="pane-words">Some bytes are no UTF-8, and are shown as � each.</p>
      )}
      <CodeView path={path} text={content.text} lines={lines} read={read} />
      {content.shownBytes < content.sizeBytes && (
        <p class="pane-words">
          <Button
            onClick={() => {
              maxBytes.value += 4 * PIECE_BYTES;
            }}
            words="Show more"
          />
        </p>
      )}
    </>
  );
}

/** A larger image would keep the worker busy for this one figure. */
const MAX_COUNTED_BYTES = 512 * 1024;

/** Says how much a model would read in the place of the image; nothing until that is known. */
function ImageTokens({ page, path }: { readonly page: PageState; readonly path: string }) {
  const answer = useAnswer(page, [path], (client) => readAsModel(client, "read_file", path));
  if (answer === null || typeof answer === "string" || answer.isError) {
    return null;
  }
  return (
    <p class="pane-words dim">
      A model that calls read_file would get about{" "}
      {formatCounted(estimateTokens(answer.content), "token")} of this file
      {answer.truncated ? ", and only a part of it" : ""}.
    </p>
  );
}

/** An image of the tree; its address lives as long as it is shown. */
function ImageView({ image, name }: { readonly image: Blob; readonly name: string }) {
  const element = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const address = URL.createObjectURL(image);
    if (element.current !== null) {
      element.current.src = address;
    }
    return () => URL.revokeObjectURL(address);
  }, [image]);
  return <img class="image-view" alt={name} ref={element} />;
}
