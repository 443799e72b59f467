/** @jsxImportSource solid-js */
import "treeglass/element";

export const demo = () => (
  <treeglass-demo
    class="wide"
    tool="a_tool_of_mine"
    on:treeglass-result={({ detail }) => console.log(detail.tool)}
  />
);

// @ts-expect-error a text or null
export const wrong = () => <treeglass-demo src={5} />;
