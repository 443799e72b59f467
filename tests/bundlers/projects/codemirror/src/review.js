import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { lineNumbers } from "@codemirror/view";

/** Shows what an agent proposes in an element, each hunk in two columns; returns `refresh`. */
export function showReview(parent, client) {
  const views = [];
  let latest = 0;

  /** Shows what is proposed now; let `onChanges` of `connect` call it. */
  async function refresh() {
    const number = ++latest;
    const { entries } = await client.changes();
    const files = await Promise.all(entries.map(({ path }) => client.diff(path)));
    if (number === latest) {
      views.splice(0).forEach((view) => view.destroy());
      // What is no text has no hunks, and is decided as a whole.
      const parts = files.flatMap((file) =>
        (file.hunks.length > 0 ? file.hunks : [undefined]).map((hunk) => partOf(file, hunk)),
      );
      parent.replaceChildren(...parts);
    }
  }

  function partOf(file, hunk) {
    const part = document.createElement("section");
    const { decision } = hunk ?? file;
    const decide = (label, method, mark = {}) => {
      const button = Object.assign(document.createElement("button"), { textContent: label });
      button.onclick = async () => {
        const failed = (error) => alert(error.message); // such as StaleHunk: the agent was faster
        const options = { ...mark, ...(hunk && { hunks: [hunk.key] }) };
        await client[method](file.path, options).catch(failed);
        await refresh();
      };
      return button;
    };
    const said = [`${file.operation} ${file.path}`, ...Object.values(file.flags)].join("; ");
    const isKept = decision !== "kept"; // to keep a taken one takes that back
    part.append(said, decide(isKept ? "Take" : "Taken", "keep", { isKept }));
    part.append(decide("Leave", "reject"));
    if (hunk) {
      const [a, b] = [sideOf(hunk, "-", hunk.beforeStart), sideOf(hunk, "+", hunk.afterStart)];
      views.push(new MergeView({ a, b, parent: part }));
    }
    return part;
  }
  return refresh;
}

function sideOf({ lines }, sign, start) {
  const shown = lines.filter(([each]) => each === " " || each === sign);
  const formatNumber = (number) => String(number + start - 1);
  return {
    doc: shown.map(([, text]) => text).join("\n"),
    extensions: [lineNumbers({ formatNumber }), EditorState.readOnly.of(true)],
  };
}
