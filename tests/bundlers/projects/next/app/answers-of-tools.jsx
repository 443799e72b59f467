"use client";

import { useEffect, useState } from "react";
import { connect } from "treeglass";
import { answersOfSite } from "./answers-of-site.js";

export function Answers() {
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
  return <pre>{answers}</pre>;
}
