import { Answers } from "./answers-of-tools.jsx";

export default function Page() {
  return <Answers />;
}
