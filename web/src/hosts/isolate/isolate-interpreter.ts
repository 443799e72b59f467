/** The interpreter of this isolate: one for all clients. */
import * as assets from "treeglass:assets";
import { SharedInterpreter, startInterpreter } from "./interpreter.ts";

export const isolateInterpreter = new SharedInterpreter(() => startInterpreter(assets));
