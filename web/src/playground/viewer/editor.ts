/** CodeMirror, read only, with the marks of this page; fetched when the first file is opened. */

import { syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, RangeSet, type Text } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  GutterMarker,
  gutter,
  highlightSpecialChars,
  type KeyBinding,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { HOSTILE, spell } from "../../lib/spelling.ts";
import type { LineRange } from "../state/marks.ts";
import { COLOURS, toLanguage } from "../text/code-colours.ts";
import { languageOf } from "../text/languages.ts";

/** A file with a longer line is shown without highlighting, which would stop the page. */
const MAX_HIGHLIGHTED_LINE = 20_000;

export interface ShownText {
  readonly path: string;
  readonly text: string;
  /** The lines to mark and to bring into sight. */
  readonly lines: LineRange | null;
  /** The lines that a tool has given to a model. */
  readonly read: readonly LineRange[];
}

/** The editor of one file in an element; `show` replaces what it shows of the file. */
export class Editor {
  readonly #view: EditorView;
  readonly #marks = new Compartment();
  readonly #language = new Compartment();
  /** As it was given. CodeMirror's own ends each line with `\n`, so `\r\n` would always differ. */
  #text = "";

  constructor(parent: HTMLElement) {
    // In a shadow root CodeMirror uses constructed style sheets, which the policy allows.
    const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
    const changing = [this.#marks.of([]), this.#language.of([])];
    const state = EditorState.create({ extensions: [lineNumbers(), changing, EXTENSIONS] });
    this.#view = new EditorView({ state, parent: root, root });
  }

  show({ path, text, lines, read }: ShownText): void {
    const { state } = this.#view;
    const isOther = this.#text !== text;
    this.#text = text;
    const doc = isOther ? state.toText(text) : state.doc;
    const changes = isOther ? { from: 0, to: state.doc.length, insert: doc } : [];
    const marks = [markLines(doc, lines), markRead(doc, read)];
    this.#view.dispatch({ changes, effects: this.#marks.reconfigure(marks) });
    if (lines !== null) {
      const line = doc.line(Math.min(Math.max(lines.first, 1), doc.lines));
      const effects = EditorView.scrollIntoView(line.from, { y: "center" });
      this.#view.dispatch({ selection: { anchor: line.from }, effects });
    }
    if (isOther) {
      // Without its language, which cannot be fetched while the page is left, a text stays plain.
      this.#highlight(path, text).catch(() => undefined);
    }
  }

  destroy(): void {
    this.#view.destroy();
  }

  async #highlight(path: string, text: string): Promise<void> {
    this.#view.dispatch({ effects: this.#language.reconfigure([]) });
    const load = longestLine(text) > MAX_HIGHLIGHTED_LINE ? null : languageOf(path);
    if (load !== null) {
      const language = toLanguage(await load());
      this.#view.dispatch({ effects: this.#language.reconfigure(language) });
    }
  }
}

function longestLine(text: string): number {
  let longest = 0;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    longest = Math.max(longest, stop - start);
    start = stop + 1;
  }
  return longest;
}

const markedLine = Decoration.line({ class: "tg-marked" });

function markLines(doc: Text, lines: LineRange | null): Extension {
  const marked = linesOf(lines, doc.lines).map((line) => markedLine.range(doc.line(line).from));
  return EditorView.decorations.of(Decoration.set(marked));
}

function linesOf(range: LineRange | null, count: number): readonly number[] {
  const last = Math.min(range?.last ?? 0, count);
  const first = Math.max(range?.first ?? 1, 1);
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index);
}

class ReadMarker extends GutterMarker {
  override toDOM(): Node {
    const mark = document.createElement("span");
    mark.title = "A tool has given this line to a model";
    mark.textContent = "●";
    return mark;
  }
}
const readMarker = new ReadMarker();

/** Puts a dot beside each line that was read, once also if several calls have read it. */
function markRead(doc: Text, read: readonly LineRange[]): Extension {
  const lines = new Set(read.flatMap((range) => linesOf(range, doc.lines)));
  const dots = Array.from(lines, (line) => readMarker.range(doc.line(line).from));
  const markers = RangeSet.of<GutterMarker>(dots, true);
  return gutter({ class: "tg-read", markers: () => markers });
}

const THEME = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--well)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    fontSize: "0.8125rem",
    lineHeight: "1.5",
    // A shadow where lines go on, as `.scrolling` has it.
    background:
      "linear-gradient(to left, var(--well) 40%, transparent) right / 32px 100% no-repeat local, " +
      "linear-gradient(to left, var(--hairline), transparent) right / 12px 100% no-repeat",
  },
  "@media (forced-colors: active)": { ".cm-scroller": { background: "none" } },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", border: "none" },
  ".cm-content ::selection": { backgroundColor: "var(--wash)" },
  ".tg-marked": { backgroundColor: "var(--wash)" },
  ".tg-read": { width: "14px", color: "var(--accent)", fontSize: "0.5rem" },
  ".cm-specialChar": { color: "var(--mark)", backgroundColor: "var(--mark-wash)" },
  ".cm-searchMatch": { backgroundColor: "var(--mark-wash)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-panel input, .cm-panel button": { color: "inherit", background: "var(--well)" },
});

/**
 * The keys of the start and the end of the whole text.
 *
 * The browser's own keys stop at the lines that are drawn.
 */
const ENDS: readonly KeyBinding[] = [
  { key: "Ctrl-Home", mac: "Cmd-ArrowUp", ...movingTo(() => 0) },
  { key: "Ctrl-End", mac: "Cmd-ArrowDown", ...movingTo((view) => view.state.doc.length) },
];

function movingTo(placeIn: (view: EditorView) => number): Pick<KeyBinding, "run" | "shift"> {
  const move = (view: EditorView, keepsAnchor: boolean) => {
    const head = placeIn(view);
    const anchor = keepsAnchor ? view.state.selection.main.anchor : head;
    view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(head) });
    return true;
  };
  return { run: (view) => move(view, false), shift: (view) => move(view, true) };
}

const EXTENSIONS = [
  EditorState.readOnly.of(true),
  EditorView.contentAttributes.of({ "aria-label": "Content of the file", tabindex: "0" }),
  highlightSpecialChars({
    addSpecialChars: new RegExp(HOSTILE, "gu"),
    render: (code) => {
      const mark = document.createElement("span");
      mark.className = "cm-specialChar";
      mark.textContent = `U+${spell(String.fromCodePoint(code)).padStart(4, "0")}`;
      return mark;
    },
  }),
  search({ top: true }),
  highlightSelectionMatches(),
  keymap.of([...ENDS, ...searchKeymap]),
  syntaxHighlighting(COLOURS),
  THEME,
];
