import type { PageState } from "../state/page-state.ts";

export function AgentPanel(_: { readonly page: PageState }) {
  return null;
}
