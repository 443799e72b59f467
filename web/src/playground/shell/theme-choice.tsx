/** The choice of the colours; the browser keeps it. */

import { signal } from "@preact/signals";
import { keepText, readKept } from "./kept-text.ts";

const THEMES = { auto: "Like the system", light: "Light", dark: "Dark" } as const;
type Theme = keyof typeof THEMES;

const STORAGE_KEY = "treeglass-theme";

const theme = signal<Theme>("auto");

/** Shows the colours that the visitor chose last. */
export function restoreTheme(): void {
  const kept = readKept(STORAGE_KEY);
  useTheme(namesOf(THEMES).find((name) => name === kept) ?? "auto");
}

export function ThemeChoice() {
  return (
    <fieldset class="theme-choice stack">
      <legend>Colours</legend>
      {namesOf(THEMES).map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="theme"
            checked={theme.value === name}
            onChange={() => {
              useTheme(name);
              keepText(STORAGE_KEY, name);
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

function namesOf<Name extends string>(words: Readonly<Record<Name, string>>): readonly Name[] {
  // The keys of a literal record are its names.
  return Object.keys(words) as Name[];
}
