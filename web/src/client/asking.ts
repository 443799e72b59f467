import { type Prepare, releaseNothing } from "../session/kept-state.ts";

/** Returns parameters that are the same for every worker. */
export function asking<Params>(params: Params): { readonly now: Prepare<Params> } {
  const now: Prepare<Params> = () => ({ params, release: releaseNothing, prepare: now });
  return { now };
}
