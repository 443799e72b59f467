import { connect } from "treeglass";
import { answersOfPage } from "./answers-of-page.js";
import { TREE } from "./tree.js";

export default { title: "Tools" };

/** A demo, with its tree and its arguments as objects, and the answers of a client. */
export const Answers = {
  render() {
    const story = document.createElement("div");
    const demo = document.createElement("treeglass-demo");
    Object.assign(demo, {
      assets: "/treeglass/",
      tool: "list_dir",
      source: { entries: TREE },
      arguments: { dir_path: "/repo" },
    });
    const answers = document.createElement("pre");
    story.append(demo, answers);
    connect({ assets: "/treeglass/" })
      .then(answersOfPage)
      .then((found) => answers.append(found), reportError);
    return story;
  },
};
