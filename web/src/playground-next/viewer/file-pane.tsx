import type { PageState } from "../state/page-state.ts";

export function FilePane({ page }: { readonly page: PageState }) {
  return <p>{page.openFile.value?.path}</p>;
}
