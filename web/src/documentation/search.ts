/** The page that searches the documentation: it fetches the index, and shows what it finds. */
import { findElement, makeElement } from "../ui/make-element.ts";
import { excerpt } from "./excerpt.ts";
import type { FoundPage, FoundSection, IndexedPage, PageIndex } from "./page-index.ts";
import { indexPages } from "./page-index.ts";

const INDEX = "search.json";

const NOT_FETCHED =
  "The index could not be fetched. Check the connection; pages that are opened as files may fetch " +
  "nothing, so serve their folder.";

async function fetchIndex(): Promise<PageIndex> {
  const response = await fetch(INDEX);
  if (!response.ok) {
    throw new Error(`${INDEX}: ${response.status}`);
  }
  const pages: readonly IndexedPage[] = await response.json();
  return indexPages(pages);
}

function shownSection(section: FoundSection): HTMLLIElement {
  const pieces = excerpt(section.text, section.words).map(({ text, isFound }) =>
    isFound ? makeElement("mark", {}, text) : text,
  );
  const heading = makeElement("a", { href: section.address }, section.heading);
  return makeElement("li", {}, heading, makeElement("p", {}, ...pieces));
}

function shownPage({ title, address, sections }: FoundPage): HTMLLIElement {
  const heading = makeElement("h2", {}, makeElement("a", { href: address }, title));
  return makeElement("li", {}, heading, makeElement("ul", {}, ...sections.map(shownSection)));
}

function countOf(found: readonly FoundPage[], words: string): string {
  if (!words) {
    return "";
  }
  if (found.length === 0) {
    return `No page has “${words}”.`;
  }
  return found.length === 1 ? "1 page" : `${found.length} pages`;
}

function start(): void {
  const field = findElement("search-words", HTMLInputElement);
  const status = findElement("search-status", HTMLElement);
  const results = findElement("search-results", HTMLElement);
  let index: Promise<PageIndex> | undefined;

  const show = async () => {
    const words = field.value.trim();
    index ??= fetchIndex();
    try {
      const { find } = await index;
      if (words !== field.value.trim()) {
        return;
      }
      const found = words ? find(words) : [];
      status.textContent = countOf(found, words);
      results.replaceChildren(...found.map(shownPage));
    } catch {
      index = undefined;
      status.textContent = NOT_FETCHED;
    }
  };

  // What is typed before this script runs stays.
  field.value ||= new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", () => {
    const words = field.value.trim();
    history.replaceState(null, "", words ? `?${new URLSearchParams({ q: words })}` : "?");
    void show();
  });
  field.form?.addEventListener("submit", (event) => event.preventDefault());
  if (field.value) {
    void show();
  } else {
    field.focus();
  }
}

start();
