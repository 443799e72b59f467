import type { PageState } from "../state/page-state.ts";

export function FilesPane({ page }: { readonly page: PageState }) {
  return <p>{page.tree.value?.choice.name}</p>;
}
