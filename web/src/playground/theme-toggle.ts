/** The choice of theme: light, dark, or the system's; kept if the browser allows storage. */

import { findElement } from "../page-parts/make-element.ts";

const STORAGE_KEY = "treeglass-theme";

export function startThemeToggle(): void {
  const toggle = findElement("theme-toggle", HTMLFieldSetElement);
  const kept = readKept();
  for (const input of toggle.querySelectorAll("input")) {
    if (input.value === kept) {
      input.checked = true;
      apply(kept);
    }
    input.addEventListener("change", () => {
      apply(input.value);
      keep(input.value);
    });
  }
}

function apply(theme: string): void {
  document.documentElement.dataset.theme = theme;
}

/** A browser that blocks storage throws here; the page then follows the system. */
function readKept(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function keep(theme: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // The choice then lasts until the visitor leaves the page.
  }
}
