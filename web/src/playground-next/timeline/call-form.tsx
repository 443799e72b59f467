import type { PageState } from "../state/page-state.ts";

export function CallForm(_: { readonly page: PageState }) {
  return null;
}
