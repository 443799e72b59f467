/** The targets of a folder's links. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import { leadsOut } from "../../../sources/names.ts";

/**
 * Returns a link's target for the interpreter, which has the folder at another path.
 *
 * A target that leads out of the folder and back in, as every absolute one does, becomes relative.
 * A target that stays outside is returned unchanged, and leads nowhere.
 */
export function reachableTarget(
  target: string,
  parents: readonly string[],
  roots: readonly string[],
): string {
  const spelled = sep === "/" ? target : target.replaceAll(sep, "/");
  if (!isAbsolute(target) && !leadsOut(spelled, parents.length)) {
    return spelled;
  }
  for (const root of roots) {
    const below = relative(root, resolve(root, ...parents, target));
    const isInside = below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
    if (isInside) {
      const slash = /[/\\]$/.test(target) ? "/" : "";
      return `${"../".repeat(parents.length)}${below.replaceAll(sep, "/")}${slash}` || ".";
    }
  }
  return spelled;
}
