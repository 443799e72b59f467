import { Answers } from "./answers-of-tools.jsx";
import { TREE } from "./tree.js";

const source = JSON.stringify({ entries: TREE });

export default function Page() {
  return (
    <>
      <treeglass-demo
        assets="/treeglass/"
        tool="list_dir"
        source={source}
        arguments='{"dir_path": "/repo"}'
      />
      <Answers />
    </>
  );
}
