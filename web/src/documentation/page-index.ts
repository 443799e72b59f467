/** Finds sections of the documentation by words, in an index that the build writes. */
import MiniSearch from "minisearch";

/** A section: its anchor, its heading, and its text without the sections inside it. */
export type IndexedSection = readonly [anchor: string, heading: string, text: string];

/** A page as the build describes it to the search. */
export interface IndexedPage {
  /** From the documentation's first page. */
  readonly address: string;
  readonly title: string;
  /** The weight of a match in this page, against 1 for a guide. */
  readonly weight: number;
  readonly sections: readonly IndexedSection[];
}

export interface FoundSection {
  readonly address: string;
  readonly heading: string;
  readonly text: string;
  /** The words of the text that match, in lower case. */
  readonly words: readonly string[];
}

/** A page with the best of its sections first. */
export interface FoundPage {
  readonly title: string;
  readonly address: string;
  readonly sections: readonly FoundSection[];
}

export interface PageIndex {
  /** Returns the pages that have all words, or those that have some of them; the best page first. */
  find(words: string): readonly FoundPage[];
}

interface Entry {
  readonly page: IndexedPage;
  readonly section: IndexedSection;
}

const MAX_PAGES = 15;
const MAX_SECTIONS_OF_A_PAGE = 3;

/** A word of fewer letters is found as it is: one letter more or less is another word. */
const MIN_LETTERS_TO_MISSPELL = 5;

const OPTIONS = {
  boost: { title: 4, heading: 6 },
  prefix: (term: string) => term.length > 2,
  fuzzy: (term: string) => (term.length < MIN_LETTERS_TO_MISSPELL ? false : 0.2),
  weights: { prefix: 0.4, fuzzy: 0.2 },
};

export function indexPages(pages: readonly IndexedPage[]): PageIndex {
  const entries = pages.flatMap((page) => page.sections.map((section) => ({ page, section })));
  const index = new MiniSearch<{ id: number; title: string; heading: string; text: string }>({
    fields: ["title", "heading", "text"],
  });
  index.addAll(
    entries.map(({ page, section: [, heading, text] }, id) => ({
      id,
      // Of the page's first section alone, or every section would match its page's title.
      title: heading === page.title ? heading : "",
      heading,
      text,
    })),
  );
  const weigh = (id: unknown) => entries[Number(id)]?.page.weight ?? 0;
  return {
    find: (words) => {
      const search = (combineWith: "AND" | "OR") =>
        index.search(words, { ...OPTIONS, combineWith, boostDocument: weigh });
      const all = search("AND");
      const found = all.length > 0 ? all : search("OR");
      return byPage(found.map(({ id, terms }) => ({ entry: entries[Number(id)], terms })));
    },
  };
}

function byPage(
  found: readonly { readonly entry: Entry | undefined; readonly terms: readonly string[] }[],
): FoundPage[] {
  const sections = new Map<IndexedPage, FoundSection[]>();
  for (const { entry, terms } of found) {
    if (!entry) {
      continue;
    }
    const { page, section } = entry;
    const [anchor, heading, text] = section;
    const ofPage = sections.get(page) ?? [];
    sections.set(page, ofPage);
    if (ofPage.length < MAX_SECTIONS_OF_A_PAGE) {
      const address = anchor ? `${page.address}#${anchor}` : page.address;
      ofPage.push({ address, heading, text, words: terms });
    }
  }
  return [...sections]
    .slice(0, MAX_PAGES)
    .map(([{ title, address }, ofPage]) => ({ title, address, sections: ofPage }));
}
