import type { PageState } from "../state/page-state.ts";

export function TourCard(_: { readonly page: PageState }) {
  return null;
}
