import type { PageState } from "../state/page-state.ts";

export function ShareMenus(_: { readonly page: PageState }) {
  return null;
}
