/** The choice of the colours; the browser keeps it. */

import { signal } from "@preact/signals";
import { keepText, readKept } from "./kept-text.ts";

const THEMES = { auto: "Like the system", light: "Light", dark: "Dark" } as const;

const STORAGE_KEY = "treeglass-theme";

const theme = signal("auto");

/** Shows the colours that the visitor chose last. */
export function restoreTheme(): void {
  const kept = readKept(STORAGE_KEY) ?? "";
  useTheme(Object.hasOwn(THEMES, kept) ? kept : "auto");
}

export function ThemeChoice() {
  return (
    <fieldset class="theme-choice stack">
      <legend>Colours</legend>
      {Object.entries(THEMES).map(([name, words]) => (
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
          {words}
        </label>
      ))}
    </fieldset>
  );
}

function useTheme(name: string): void {
  theme.value = name;
  document.documentElement.dataset.theme = name;
}
