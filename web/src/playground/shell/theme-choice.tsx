/** The choice of the colours; the browser keeps it. */

import { signal } from "@preact/signals";

const THEMES = { auto: "Like the system", light: "Light", dark: "Dark" } as const;
type Theme = keyof typeof THEMES;

const STORAGE_KEY = "treeglass-theme";

const theme = signal<Theme>("auto");

/** Shows the colours that the visitor chose last. */
export function restoreTheme(): void {
  useTheme(readTheme());
}

export function ThemeChoice() {
  return (
    <fieldset class="theme-choice">
      <legend>Colours</legend>
      {namesOf(THEMES).map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            checked={theme.value === name}
            onChange={() => {
              useTheme(name);
              keepTheme(name);
            }}
          />
          {THEMES[name]}
        </label>
      ))}
    </fieldset>
  );
}

function useTheme(name: Theme): void {
  theme.value = name;
  document.documentElement.dataset.theme = name;
}

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(STORAGE_KEY);
    return namesOf(THEMES).find((name) => name === kept) ?? "auto";
  } catch {
    // The browser denies this page its storage.
    return "auto";
  }
}

function keepTheme(name: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, name);
  } catch {
    // The choice holds until the page is closed.
  }
}

function namesOf<Name extends string>(words: Readonly<Record<Name, string>>): readonly Name[] {
  // The keys of a literal record are its names.
  return Object.keys(words) as Name[];
}
