import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { answersOf } from "./answers.js";
import { useTreeglass } from "./use-treeglass.jsx";

function Answers() {
  const client = useTreeglass();
  const [answers, setAnswers] = useState("");
  useEffect(() => {
    if (client !== null) {
      answersOf(client).then(setAnswers, reportError);
    }
  }, [client]);
  return <pre>{answers}</pre>;
}

createRoot(document.querySelector("#app")).render(
  <StrictMode>
    <Answers />
  </StrictMode>,
);
