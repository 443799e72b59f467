/** Buttons that open the browser's own dialogs for a folder, an archive or files. */

import { useEffect, useState } from "preact/hooks";
import { Button } from "../shell/button.tsx";
import { FileName } from "../shell/file-name.tsx";
import { PickButton } from "../shell/pick-button.tsx";
import {
  chooseFolder,
  deviceTree,
  EMPTY_FOLDER,
  listStoredFolders,
  treeOfFiles,
} from "./device-trees.ts";
import type { ChosenTree } from "./linked-tree.ts";

const ARCHIVES =
  ".zip,.whl,.tar,.tgz,.gz,.tbz2,.bz2,.txz,.xz,application/zip,application/x-tar,application/gzip,application/x-bzip2,application/x-xz";

interface DeviceChoiceProps {
  readonly onChoose: (choice: ChosenTree) => void;
  readonly onRefuse: (sentence: string) => void;
}

export function DeviceChoice({ onChoose, onRefuse }: DeviceChoiceProps) {
  const takeFiles = (files: readonly File[]) => {
    const tree = treeOfFiles(files);
    if (tree === null) {
      onRefuse(EMPTY_FOLDER);
    } else {
      onChoose(tree);
    }
  };
  const openFolder = async () => {
    const tree = await chooseFolder().catch((error: Error) => onRefuse(error.message));
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
      <StoredFolders onChoose={onChoose} />
    </section>
  );
}

/** The folders of the browser's private storage for this site, if it has any. */
function StoredFolders({ onChoose }: Pick<DeviceChoiceProps, "onChoose">) {
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
