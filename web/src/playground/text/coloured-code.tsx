/** The code of an answer: plain at first, and in colours when its language has been fetched. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { CodePart } from "./code-colours.ts";
import { MarkedText } from "./marked-text.tsx";

/** A longer code stays plain: while an answer grows, its code is split again and again. */
const MAX_COLOURED = 50_000;

type Colouring = (code: string) => readonly CodePart[];

async function loadColouring(language: string): Promise<Colouring | null> {
  const { languageOf } = await import("./languages.ts");
  const load = languageOf(language.toLowerCase());
  if (load === null) {
    return null;
  }
  const [{ colouring }, loaded] = await Promise.all([import("./code-colours.ts"), load()]);
  return colouring(loaded);
}

interface ColouredCodeProps {
  /** The name of a language, such as `ts`; one that is not known has no colours. */
  readonly language: string;
  readonly text: string;
}

export function ColouredCode({ language, text }: ColouredCodeProps) {
  const [colouring, setColouring] = useState<Colouring | null>(null);
  useEffect(() => {
    let isGone = false;
    loadColouring(language)
      // Without its language, which cannot be fetched while the page is left, a code stays plain.
      .catch(() => null)
      .then((loaded) => isGone || setColouring(() => loaded));
    return () => {
      isGone = true;
    };
  }, [language]);
  const parts = useMemo(
    () => (text.length <= MAX_COLOURED && colouring?.(text)) || [{ text, classes: "" }],
    [colouring, text],
  );
  return parts.map(({ text, classes }, index) =>
    classes === "" ? (
      <MarkedText key={index} text={text} />
    ) : (
      <span key={index} class={classes}>
        <MarkedText text={text} />
      </span>
    ),
  );
}
