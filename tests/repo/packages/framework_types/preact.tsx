/** @jsxImportSource preact */
import "treeglass/element";

export const demo = (
  <treeglass-demo
    class="wide"
    tool="LS"
    max-output-bytes="500"
    ontreeglass-failure={({ detail }) => console.log(detail.message)}
  />
);

// @ts-expect-error no such theme
export const wrong = <treeglass-demo theme="pink" />;
