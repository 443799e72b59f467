"use client";

import { useEffect, useState } from "react";
import { connect } from "treeglass";
import { answersOf } from "./answers.js";
import "treeglass/element";

export function Answers() {
  const [answers, setAnswers] = useState("");
  useEffect(() => {
    const connecting = connect({ assets: "/treeglass/" });
    connecting.then(answersOf).then(setAnswers, reportError);
    return () => {
      connecting.then(
        (client) => client.close(),
        () => undefined,
      );
    };
  }, []);
  return <pre>{answers}</pre>;
}
