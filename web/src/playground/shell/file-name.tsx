/** A name of a file in which each character that could forge or hide text is a visible mark. */

import { useEffect, useRef } from "preact/hooks";
import { showName } from "../../ui/hostile-characters.ts";

export function FileName({ name }: { readonly name: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => element.current?.replaceChildren(showName(name)), [name]);
  return <span class="file-name" ref={element} />;
}
