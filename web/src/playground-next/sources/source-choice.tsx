import type { PageState } from "../state/page-state.ts";

export function SourceChoice({ page }: { readonly page: PageState }) {
  return <span>{page.tree.value?.choice.name}</span>;
}
