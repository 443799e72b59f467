/** Keeps the compared calls as a set with a name, and brings a kept set back. */

import { useSignal } from "@preact/signals";
import { compareCalls, comparedRows } from "./compared-calls.ts";
import { deleteSet, savedSets, saveSet } from "./saved-sets.ts";

export function SavedSets() {
  const name = useSignal("");
  const save = () => {
    const calls = comparedRows.value.map(({ call }) => call);
    saveSet(name.value.trim(), calls);
    name.value = "";
  };
  return (
    <details>
      <summary>Saved sets ({savedSets.value.size})</summary>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <label>
          Name of these calls{" "}
          <input
            type="text"
            required
            pattern=".*\S.*"
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Save</button>
      </form>
      <ul>
        {Array.from(savedSets.value, ([each, calls]) => (
          <li class="row" key={each}>
            {each} <span class="dim">({calls.length})</span>
            <button type="button" onClick={() => compareCalls(calls)}>
              Load
            </button>
            <button type="button" onClick={() => deleteSet(each)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
