import { connect } from "/index.js";

const review = document.querySelector("treeglass-review");
const state = document.querySelector("#state");
const worker = new URL("/assets/worker.js", location).href;

globalThis.violations = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  violations.push(`${effectiveDirective}: ${blockedURI}`);
});
globalThis.trustedTypes?.createPolicy("default", {
  createScriptURL: (address) => (address === worker ? address : null),
});

const opening = indexedDB.open("story", 1);
opening.onupgradeneeded = () => opening.result.createObjectStore("states");
const database = await new Promise((resolve, reject) => {
  opening.onsuccess = () => resolve(opening.result);
  opening.onerror = () => reject(opening.error);
});

/** Runs one operation on the kept states; returns its result once it is on disk. */
function onStates(mode, operate) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction("states", mode);
    const request = operate(transaction.objectStore("states"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

const kept = await onStates("readonly", (states) => states.get("changes"));
globalThis.versions = [];
globalThis.client = await connect({
  assets: "/assets/",
  config: {
    tools: {
      experimental_supported_tools: ["list_dir", "read_file", "grep_files", "apply_patch"],
      offered: [],
    },
  },
  onChanges: ({ version }) => {
    versions.push(version);
    review.refresh();
  },
  ...(kept && { state: kept }),
});
review.client = client;

document.querySelector("#archive").addEventListener("change", async ({ target }) => {
  await client.mount("/repo", { archive: target.files[0] });
  await review.refresh();
  state.textContent = "mounted";
});
state.textContent = kept ? "connected with what was kept" : "connected";

/** Calls `apply_patch` as an agent does, in a turn. */
globalThis.propose = async (input, group) => {
  const { content, isError } = await client.callTool("apply_patch", { input }, { group });
  return [isError, content];
};

/** Returns the text that `read_file` shows of a file. */
globalThis.read = async (path) => (await client.callTool("read_file", { file_path: path })).content;

/** Keeps the changes for the page's next load. */
globalThis.keep = async () => {
  const saved = await client.saveState();
  await onStates("readwrite", (states) => states.put(saved, "changes"));
};

/** All that a page can know about the changes. */
globalThis.known = async () => {
  const changes = await client.changes();
  return {
    changes,
    diffs: await Promise.all(changes.entries.map(({ path }) => client.diff(path))),
  };
};

/** Returns the text of the next file that the review exports. */
globalThis.nextExport = () =>
  new Promise((resolve) => {
    const take = async (event) => {
      event.preventDefault();
      resolve({ fileName: event.detail.fileName, text: await event.detail.blob.text() });
    };
    review.addEventListener("treeglass-export", take, { once: true });
  });
