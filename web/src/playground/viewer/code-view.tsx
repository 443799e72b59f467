/** Shows a text in CodeMirror, which is fetched for the first file. */

import { useEffect, useRef } from "preact/hooks";
import type { Editor, ShownText } from "./editor.ts";

export function CodeView(shown: ShownText) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<Promise<Editor> | null>(null);
  useEffect(() => {
    let isGone = false;
    const show = async () => {
      editor.current ??= import("./editor.ts").then((module) => {
        if (box.current === null) {
          throw new Error("the file was closed");
        }
        return new module.Editor(box.current);
      });
      const made = await editor.current.catch(() => null);
      if (!isGone) {
        made?.show(shown);
      }
    };
    void show();
    return () => {
      isGone = true;
    };
  }, [shown.path, shown.text, shown.lines, shown.read]);
  useEffect(
    () => () => {
      void editor.current?.then((made) => made.destroy()).catch(() => undefined);
    },
    [],
  );
  return <div class="code-view" ref={box} />;
}
