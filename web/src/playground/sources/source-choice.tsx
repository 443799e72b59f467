/** The button with the tree's name, and the dialog in which a visitor opens another tree. */

import { useEffect, useState } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { Dialog } from "../shell/dialog.tsx";
import { FileName } from "../shell/file-name.tsx";
import { PickButton } from "../shell/pick-button.tsx";
import { Problem } from "../shell/problem.tsx";
import type { ChosenTree } from "../state/linked-tree.ts";
import type { PageState } from "../state/page-state.ts";
import {
  chooseFolder,
  deviceTree,
  EMPTY_FOLDER,
  listStoredFolders,
  treeOfFiles,
} from "./device-trees.ts";
import { DropVeil } from "./drop-veil.tsx";
import { failedLink, LinkBox } from "./link-box.tsx";
import { SAMPLES } from "./samples.ts";

export function SourceChoice({ page }: { readonly page: PageState }) {
  const close = () => {
    page.isChoosingTree.value = false;
    failedLink.value = null;
  };
  const open = (choice: ChosenTree) => {
    close();
    void page.open(choice);
  };
  return (
    <>
      <button
        type="button"
        class="source-button"
        aria-haspopup="dialog"
        onClick={() => {
          page.isChoosingTree.value = true;
        }}
      >
        <span class="visually-hidden">Open another tree; this one is </span>
        <span class="source-name">
          <FileName name={page.tree.value?.choice.name ?? "Open a tree"} />
        </span>
        <span aria-hidden="true"> ▾</span>
      </button>
      <Dialog
        class="sources"
        title="Open a tree"
        isOpen={page.isChoosingTree.value}
        onClose={close}
      >
        <LinkBox page={page} />
        <DeviceChoice onChoose={open} />
        <section class="stack" aria-labelledby="samples-heading">
          <h3 id="samples-heading">Something to try</h3>
          <div class="row">
            {SAMPLES.map((sample) => (
              <Button key={sample.name} onClick={() => open(sample)} words={sample.name} />
            ))}
          </div>
        </section>
      </Dialog>
      <DropVeil page={page} />
    </>
  );
}

const ARCHIVES =
  ".zip,.whl,.tar,.tgz,.gz,.tbz2,.bz2,.txz,.xz,application/zip,application/x-tar,application/gzip,application/x-bzip2,application/x-xz";

interface DeviceChoiceProps {
  readonly onChoose: (choice: ChosenTree) => void;
}

function DeviceChoice({ onChoose }: DeviceChoiceProps) {
  const [problem, setProblem] = useState("");
  const takeFiles = (files: readonly File[]) => {
    const tree = treeOfFiles(files);
    if (tree === null) {
      setProblem(EMPTY_FOLDER);
    } else {
      onChoose(tree);
    }
  };
  const openFolder = async () => {
    const tree = await chooseFolder().catch((error: Error) => setProblem(error.message));
    if (tree) {
      onChoose(tree);
    }
  };
  return (
    <section class="stack" aria-labelledby="device-heading">
      <h3 id="device-heading">From this device</h3>
      <div class="row">
        {window.showDirectoryPicker === undefined ? (
          <PickButton label="Folder…" webkitdirectory multiple onPick={takeFiles} />
        ) : (
          <Button onClick={() => void openFolder()} words="Folder…" />
        )}
        <PickButton
          label="Archive…"
          data-testid="archive-input"
          accept={ARCHIVES}
          onPick={([archive]) => archive && onChoose(deviceTree(archive.name, { archive }))}
        />
        <PickButton label="Files…" data-testid="files-input" multiple onPick={takeFiles} />
      </div>
      <p class="dim">
        Archives: zip, wheel, npm tarball, tar, tar.gz, tar.bz2, tar.xz. You can also drop them, or
        files and folders, on this page. They stay on your device.
      </p>
      <Problem words={problem} />
      <StoredFolders onChoose={onChoose} />
    </section>
  );
}

/** The folders of the browser's private storage for this site, if it has any. */
function StoredFolders({ onChoose }: DeviceChoiceProps) {
  const [folders, setFolders] = useState<readonly ChosenTree[]>([]);
  useEffect(() => {
    void listStoredFolders().then(setFolders);
  }, []);
  return folders.length === 0 ? null : (
    <details>
      <summary>From this site's storage in your browser</summary>
      <ul class="stored-folders stack">
        {folders.map((choice) => (
          <li key={choice.name}>
            <button type="button" onClick={() => onChoose(choice)}>
              <FileName name={choice.name} />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
