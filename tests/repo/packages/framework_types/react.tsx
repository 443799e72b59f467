/** @jsxImportSource react */
import { useRef } from "react";
import "treeglass/element";

export function Demo() {
  const demo = useRef<HTMLElementTagNameMap["treeglass-demo"]>(null);
  return (
    <treeglass-demo
      ref={demo}
      className="wide"
      tool="list_dir"
      arguments={{ dir_path: "/repo" }}
      src="/shop.zip"
      ontreeglass-result={({ detail }) => console.log(detail.result.content)}
    />
  );
}

// @ts-expect-error no such attribute
export const wrong = <treeglass-demo sorce="/shop.zip" />;
