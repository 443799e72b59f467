/** The interpreter of this isolate: one for all clients. */
import * as assets from "treeglass:assets";
import { startInterpreter } from "./interpreter.ts";
import { SharedInterpreter } from "./interpreter-source.ts";

export const isolateInterpreter = new SharedInterpreter(() => startInterpreter(assets));
