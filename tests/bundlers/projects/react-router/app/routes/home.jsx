import { useEffect, useState } from "react";
import { connect } from "treeglass";
import { answersOfSite } from "../answers-of-site.js";
import { TREE } from "../tree.js";

const SOURCE = JSON.stringify({ entries: TREE });

export default function Home() {
  const [answers, setAnswers] = useState("");
  useEffect(() => {
    let isMounted = true;
    const connecting = connect({ assets: "/treeglass/" });
    connecting.then(answersOfSite).then(
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
        source={SOURCE}
        arguments='{"dir_path": "/repo"}'
      />
      <pre>{answers}</pre>
    </>
  );
}
