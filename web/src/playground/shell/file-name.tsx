/** A name of a file in which each character that could forge or hide text is a visible mark. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { showName } from "../../ui/hostile-characters.ts";

export function FileName({ name }: { readonly name: string }) {
  const element = useRef<HTMLSpanElement>(null);
  // Before it is drawn: a row of the tree would be empty for a moment.
  useLayoutEffect(() => element.current?.replaceChildren(showName(name)), [name]);
  return <span class="file-name" ref={element} />;
}
