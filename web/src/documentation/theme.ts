/**
 * Sets the theme that the reader chose, before the page is drawn. It stands in for the theme's own
 * inline script, which a strict policy forbids.
 */

function keptTheme(): string | null {
  try {
    return localStorage.getItem("theme");
  } catch {
    // A browser that blocks storage throws here.
    return null;
  }
}

document.body.dataset.theme = keptTheme() || "auto";
