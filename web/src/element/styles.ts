/** How a demo looks; as a constructed sheet, which a strict policy lets through. */

const COLORS = `
  --_background: var(--treeglass-background, light-dark(#ffffff, #14191a));
  --_well: var(--treeglass-well, light-dark(#f6f7f5, #0f1314));
  --_color: var(--treeglass-color, light-dark(#1b211f, #e2e7e4));
  --_muted: var(--treeglass-muted, light-dark(#59625d, #9ba6a0));
  --_accent: var(--treeglass-accent, light-dark(#0b6b5d, #63cfb5));
  --_accent-contrast: var(--treeglass-accent-contrast, light-dark(#ffffff, #06211b));
  --_border: var(--treeglass-border, light-dark(#d3d8d4, #2d3634));
  --_error: var(--treeglass-error, light-dark(#a3261b, #ff9c8d));
  --_radius: var(--treeglass-radius, 6px);
  --_font: var(--treeglass-font, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif);
  --_mono: var(--treeglass-mono, ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
  --_font-size: var(--treeglass-font-size, 0.875rem);
`;

const TEXT = `
  margin: 0;
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font: 0.9286em/1.5 var(--_mono);
  tab-size: 4;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  text-align: start;
`;

// What a page's own rules for pre would say otherwise: the recorded answer is to look like the live one.
const RECORDED_TEXT = TEXT.replaceAll(";", " !important;");

const LAYOUT = `
:host { display: block; margin-block: 1em; container-type: inline-size; ${COLORS} }
:host([hidden]) { display: none; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.box {
  border: 1px solid var(--_border); border-radius: var(--_radius); overflow: clip;
  background: var(--_background); color: var(--_color);
  font: var(--_font-size)/1.45 var(--_font); text-align: start;
}
.bar { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; padding: 6px 6px 6px 12px; }
.tool { margin-inline-end: auto; font: 600 0.9643em var(--_mono); overflow-wrap: anywhere; }
.note { color: var(--_muted); font-size: 0.8571em; padding-inline: 4px; }
button {
  min-height: 28px; min-width: 28px; padding: 3px 10px; border: 1px solid transparent;
  border-radius: calc(var(--_radius) * 0.66); background: none; color: var(--_muted);
  font: inherit; font-size: 0.9286em; cursor: pointer;
}
button:hover { background: var(--_well); color: var(--_color); }
button:focus-visible, textarea:focus-visible, [tabindex]:focus-visible, input:focus-visible {
  outline: 2px solid var(--_accent); outline-offset: 1px;
}
.run { min-width: 4.5em; background: var(--_accent); color: var(--_accent-contrast); font-weight: 600; }
.run:hover { background: var(--_accent); color: var(--_accent-contrast); filter: brightness(1.08); }
.run.stops { border-color: currentcolor; background: none; color: var(--_accent); }
[aria-expanded="true"].files-toggle { background: var(--_well); color: var(--_color); }
.arguments { padding: 0 12px 8px; }
textarea {
  display: block; width: 100%; min-height: 30px; max-height: 16rem; padding: 5px 8px; resize: vertical;
  border: 1px solid var(--_border); border-radius: calc(var(--_radius) * 0.66);
  background: var(--_well); color: inherit; font: 0.9286em/1.4 var(--_mono); tab-size: 2;
  field-sizing: content; overflow-wrap: anywhere;
}
textarea:read-only { border-style: dashed; }
textarea[aria-invalid="true"] { border-color: var(--_error); }
.problem, .failure { margin: 4px 0 0; color: var(--_error); overflow-wrap: anywhere; }
.failure { margin: 0; padding: 8px 12px; border-top: 1px solid var(--_border); border-inline-start: 3px solid var(--_error); }
.progress { display: flex; gap: 10px; align-items: center; padding: 0 12px 8px; color: var(--_muted); font-size: 0.9286em; }
progress { flex: 1 1 6rem; min-width: 3rem; max-width: 16rem; height: 6px; accent-color: var(--_accent); }
.amount { font-variant-numeric: tabular-nums; }
`;

const ANSWER = `
.body { border-top: 1px solid var(--_border); }
.scroll { max-height: var(--treeglass-answer-height, 26rem); padding: 10px 12px; overflow: auto; overscroll-behavior: auto; }
.scroll:focus-visible, .lines:focus-visible { outline-offset: -2px; }
.scroll[aria-busy="true"] { opacity: 0.55; }
pre { ${TEXT} }
::slotted(pre) { ${RECORDED_TEXT} }
.error, ::slotted(pre[data-is-error]) { color: var(--_error) !important; }
.footer { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: center; min-height: 34px; padding: 2px 6px 2px 12px; border-top: 1px solid var(--_border); color: var(--_muted); font-size: 0.8571em; }
.figures { margin-inline-end: auto; padding-block: 3px; font-variant-numeric: tabular-nums; }
.footer label { display: flex; gap: 6px; align-items: center; min-height: 28px; }
.footer input { width: 16px; height: 16px; margin: 0; accent-color: var(--_accent); }
.footer button { color: var(--_accent); font-size: 1.0833em; }
.failed .figures { color: var(--_error); }
.warnings { flex: 1 0 100%; margin: 0; padding: 0 0 4px 1.2em; }
`;

const FILES = `
.files { border-top: 1px solid var(--_border); font-size: 0.9286em; min-width: 0; }
.files-head { display: flex; gap: 8px; align-items: center; min-height: 34px; padding: 2px 6px 2px 12px; color: var(--_muted); }
.path { flex: 1; min-width: 0; overflow: hidden; font-family: var(--_mono); text-overflow: ellipsis; white-space: nowrap; }
.files-head button { flex: none; color: var(--_accent); }
.tree { max-height: var(--treeglass-answer-height, 26rem); padding: 0 6px 8px; overflow: auto; }
.tree ul { margin: 0; padding: 0; list-style: none; }
.tree ul ul { margin-inline-start: 11px; padding-inline-start: 6px; border-inline-start: 1px solid var(--_border); }
.tree button { display: flex; gap: 6px; align-items: center; width: 100%; min-height: 26px; padding: 2px 6px; color: var(--_color); font: 1em/1.35 var(--_mono); text-align: start; }
.tree button:focus-visible { outline-offset: -2px; }
.tree button[aria-current="true"] { background: var(--_well); font-weight: 600; }
.tree .more, .reading .more { color: var(--_accent); font-family: var(--_font); }
.twist { flex: none; width: 0.6em; height: 0.6em; border: solid var(--_muted); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg) scale(0.75); }
[aria-expanded="true"] > .twist { transform: rotate(45deg) scale(0.75); }
.leaf { flex: none; width: 0.6em; }
.name { overflow-wrap: anywhere; }
.tree p, .reading p { margin: 0; padding: 4px 6px; color: var(--_muted); }
.invisible { border-radius: 2px; background: var(--_well); color: var(--_error); font-size: 0.85em; unicode-bidi: isolate; }
.reading { border-top: 1px solid var(--_border); }
.reading p { padding: 6px 12px; }
.lines { max-height: var(--treeglass-answer-height, 26rem); padding: 4px 0 8px; overflow: auto; font: 1em/1.5 var(--_mono); tab-size: 4; }
.line { display: flex; }
.number { flex: none; width: calc(var(--_digits, 3) * 1ch + 24px); padding-inline: 8px 12px; color: var(--_muted); text-align: end; user-select: none; -webkit-user-select: none; }
.number::before { content: attr(data-number); }
.line code { flex: 1; min-width: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; }
@container (min-width: 620px) {
  .body.with-files { display: grid; grid-template-columns: minmax(0, 1fr) minmax(180px, 34%); }
  .with-files > .answer-side { display: flex; flex-direction: column; }
  .with-files .scroll { flex: 1; }
  .with-files > .files { border-top: 0; border-inline-start: 1px solid var(--_border); }
  .with-files > .reading { grid-column: 1 / -1; }
}
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

const OTHERWISE = `
@media (forced-colors: active) {
  .run { border-color: ButtonText; }
  .invisible { forced-color-adjust: none; background: CanvasText; color: Canvas; }
}
@media (prefers-reduced-motion: no-preference) {
  .twist { transition: transform 0.12s; }
  .scroll { transition: opacity 0.12s; }
}
@media print {
  .box { break-inside: avoid; }
  button, .progress, .files, .reading, .note, label { display: none !important; }
  .scroll, textarea { max-height: none; overflow: visible; opacity: 1; }
  textarea { border: 0; padding: 0; resize: none; }
}
`;

let sheet: CSSStyleSheet | null = null;

/** Returns the sheet that all demos share. */
export function demoStyles(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(LAYOUT + ANSWER + FILES + OTHERWISE);
  }
  return sheet;
}
