import { useEffect, useState } from "react";
import { connect } from "treeglass";
import { answersOfPage } from "../answers-of-page.js";
import { TREE } from "../tree.js";

const source = JSON.stringify({ entries: TREE });

export default function Page() {
  const [answers, setAnswers] = useState("");
  useEffect(() => {
    let isMounted = true;
    const connecting = connect({ assets: "/treeglass/" });
    connecting.then(answersOfPage).then(
      (found) => isMounted && setAnswers(found),
      (error) => isMounted && reportError(error),
    );
    return () => {
      isMounted = false;
      connecting.then(
        (client) => client.close(),
        () => undefined,
      );
    };
  }, []);
  return (
    <>
      <treeglass-demo
        assets="/treeglass/"
        tool="list_dir"
        source={source}
        arguments='{"dir_path": "/repo"}'
      />
      <pre>{answers}</pre>
    </>
  );
}
