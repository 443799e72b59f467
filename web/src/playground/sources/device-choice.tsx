/** Buttons that open the browser's own dialogs for a folder, an archive or files. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { FileName } from "../shell/file-name.tsx";
import type { ChosenTree } from "./chosen-tree.ts";
import { chooseFolder, deviceTree, EMPTY_FOLDER, treeOfFiles } from "./device-trees.ts";
import { listStoredFolders } from "./stored-folders.ts";

const ARCHIVES =
  ".zip,.whl,.tar,.tgz,.gz,.tbz2,.bz2,.txz,.xz,application/zip,application/x-tar,application/gzip,application/x-bzip2,application/x-xz";

interface DeviceChoiceProps {
  readonly onChoose: (choice: ChosenTree) => void;
  readonly onRefuse: (sentence: string) => void;
}

export function DeviceChoice({ onChoose, onRefuse }: DeviceChoiceProps) {
  const folder = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const take = (tree: ChosenTree | null) => {
    if (tree === null) {
      onRefuse(EMPTY_FOLDER);
    } else {
      onChoose(tree);
    }
  };
  const openFolder = async () => {
    if (window.showDirectoryPicker === undefined) {
      folder.current?.click();
      return;
    }
    const tree = await chooseFolder().catch((error: Error) => onRefuse(error.message));
    if (tree) {
      onChoose(tree);
    }
  };
  return (
    <section aria-labelledby="device-heading">
      <h3 id="device-heading">From this device</h3>
      <div class="row">
        <button type="button" onClick={() => void openFolder()}>
          Folder…
        </button>
        <button type="button" onClick={() => archive.current?.click()}>
          Archive…
        </button>
        <button type="button" onClick={() => files.current?.click()}>
          Files…
        </button>
      </div>
      <p class="dim">
        Archives: zip, wheel, npm tarball, tar, tar.gz, tar.bz2, tar.xz. You can also drop them, or
        files and folders, on this page. They stay on your device.
      </p>
      <StoredFolders onChoose={onChoose} />
      <input
        type="file"
        ref={(element) => {
          folder.current = element;
          element?.setAttribute("webkitdirectory", "");
        }}
        multiple
        hidden
        onChange={(event) => take(treeOfFiles(takeFiles(event.currentTarget)))}
      />
      <input
        type="file"
        data-testid="archive-input"
        ref={archive}
        accept={ARCHIVES}
        hidden
        onChange={(event) => {
          const [file] = takeFiles(event.currentTarget);
          if (file !== undefined) {
            onChoose(deviceTree(file.name, { kind: "archive", file }));
          }
        }}
      />
      <input
        type="file"
        data-testid="files-input"
        ref={files}
        multiple
        hidden
        onChange={(event) => take(treeOfFiles(takeFiles(event.currentTarget)))}
      />
    </section>
  );
}

/** Returns the chosen files, and empties the input, so that the same choice counts again. */
function takeFiles(input: HTMLInputElement): readonly File[] {
  const files = Array.from(input.files ?? []);
  input.value = "";
  return files;
}

/** The folders of the browser's private storage for this site, if it has any. */
function StoredFolders({ onChoose }: Pick<DeviceChoiceProps, "onChoose">) {
  const folders = useSignal<readonly ChosenTree[]>([]);
  useEffect(() => {
    void listStoredFolders().then((found) => {
      folders.value = found;
    });
  }, []);
  return folders.value.length === 0 ? null : (
    <details>
      <summary>From this site's storage in your browser</summary>
      <ul class="stored-folders">
        {folders.value.map((choice) => (
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
