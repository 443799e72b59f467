import { useEffect, useState } from "react";

/** Shows what an agent proposes; `version` is what `onChanges` told last. */
export function Review({ client, version }) {
  const [files, setFiles] = useState([]);
  const [problem, setProblem] = useState("");
  const [decisions, setDecisions] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    diffsOf(client).then(
      (found) => isCurrent && setFiles(found),
      (error) => isCurrent && setProblem(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, version, decisions]);

  /** Takes (`keep`) or leaves (`reject`) a file or a hunk; to keep a taken one takes that back. */
  async function decide(method, file, hunk) {
    const mark = method === "keep" ? { isKept: (hunk ?? file).decision !== "kept" } : {};
    try {
      await client[method](file.path, { ...mark, ...(hunk && { hunks: [hunk.key] }) });
      setProblem("");
    } catch (error) {
      setProblem(error.message); // such as StaleHunk: the agent was faster
    }
    setDecisions((count) => count + 1);
  }

  return (
    <>
      <p role="status">{problem}</p>
      {files.map((file) => (
        <section key={`${file.operation} ${file.path}`}>
          <h3>{`${file.operation} ${file.path}`}</h3>
          <p>{Object.values(file.flags).join("; ")}</p>
          {/* What is no text has no hunks, and is decided as a whole. */}
          {(file.hunks.length > 0 ? file.hunks : [undefined]).map((hunk) => (
            <div key={hunk?.key ?? "whole"}>
              <pre>{hunk?.lines.map(([sign, text]) => `${sign}${text}\n`)}</pre>
              <button type="button" onClick={() => decide("keep", file, hunk)}>
                {(hunk ?? file).decision === "kept" ? "Taken" : "Take"}
              </button>
              <button type="button" onClick={() => decide("reject", file, hunk)}>
                Leave
              </button>
            </div>
          ))}
        </section>
      ))}
    </>
  );
}

async function diffsOf(client) {
  const { entries } = await client.changes();
  return Promise.all(entries.map(({ path }) => client.diff(path)));
}
