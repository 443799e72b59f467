/** Makes a module that notes which of its functions have run. */
import { constant, joined, unsigned } from "./bytes.ts";
import { codeStart } from "./instructions.ts";
import {
  KIND,
  readModule,
  SECTION,
  writeBodies,
  writeExports,
  writeGlobals,
  writeModule,
} from "./wasm-module.ts";

/** Not 32: a constant with the highest bit would be negative. */
const FUNCTIONS_IN_A_NOTE = 30;
/** A note is a global: `~0` for the first functions, `~1` for the next. */
const NOTE = "~";
const NO_FUNCTION = { type: Uint8Array.of(0x7f, 1), initial: Uint8Array.of(0x41, 0, 0x0b) };

/** Returns a module each of whose functions sets its bit in an exported global when it is called. */
export function instrumentModule(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const module = readModule(bytes);
  const imported = module.imports.filter(({ kind }) => kind === KIND.global).length;
  const firstNote = imported + module.globals.length;
  const notes = Array.from(
    { length: Math.ceil(module.bodies.length / FUNCTIONS_IN_A_NOTE) },
    (_, note) => ({ name: `${NOTE}${note}`, kind: KIND.global, index: firstNote + note }),
  );
  const bodies = module.bodies.map((body, index) => {
    const note = unsigned(firstNote + Math.floor(index / FUNCTIONS_IN_A_NOTE));
    const bit = constant(2 ** (index % FUNCTIONS_IN_A_NOTE));
    const start = codeStart(body);
    return joined([
      body.subarray(0, start),
      // note |= bit
      ...[Uint8Array.of(0x23), note, Uint8Array.of(0x41), bit, Uint8Array.of(0x72, 0x24), note],
      body.subarray(start),
    ]);
  });
  return writeModule(
    module.sections,
    new Map([
      [SECTION.globals, writeGlobals([...module.globals, ...notes.map(() => NO_FUNCTION)])],
      [SECTION.exports, writeExports([...module.exports, ...notes])],
      [SECTION.code, writeBodies(bodies)],
    ]),
  );
}

/** Returns the numbers of the functions that have run, from the notes in their order. */
export function notedFunctions(notes: readonly number[]): number[] {
  return notes.flatMap((note, place) =>
    Array.from({ length: FUNCTIONS_IN_A_NOTE }, (_, bit) => bit)
      .filter((bit) => (note & (2 ** bit)) !== 0)
      .map((bit) => place * FUNCTIONS_IN_A_NOTE + bit),
  );
}
