import type { PageState } from "../state/page-state.ts";

export function TimelineList({ page }: { readonly page: PageState }) {
  return <p>{page.timeline.items.value.length}</p>;
}
