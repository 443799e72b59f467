/** The introduction: the purpose of the page and its readers, in place of the file that is not open. */

import type { PageState } from "../state/page-state.ts";
import { isTourOffered, TourOffer } from "../tour/tour-card.tsx";

export function Introduction({ page }: { readonly page: PageState }) {
  return (
    <div class="introduction stack">
      <h2>File tools for an AI agent in a web page</h2>
      <p>
        With treeglass, an agent in a web page lists, searches, reads and changes files that the
        page holds. Here you call the same tools, and see exactly what the agent reads and changes.
        Nothing leaves this page unless you connect a model.
      </p>
      <p>
        It is for people who build agents into web pages, who write documentation, and who compare
        the tools of agents.
      </p>
      {isTourOffered(page) && <TourOffer page={page} />}
      <p class="dim">Or choose a file in Files, or call a tool in Calls.</p>
    </div>
  );
}
