/** Tabs by the ARIA pattern: the arrow keys move between them, and one panel shows. */

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Button } from "./button.tsx";

interface Tab {
  readonly label: string;
  readonly draw: () => ComponentChildren;
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const shown = tabs[chosen] ?? tabs[0];
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = (chosen + step + tabs.length) % tabs.length;
      setChosen(next);
      event.currentTarget.querySelectorAll("button")[next]?.focus();
    }
  };
  return (
    <>
      <div class="tabs row" role="tablist" tabIndex={-1} aria-label={label} onKeyDown={move}>
        {tabs.map((tab, index) => (
          <Button
            role="tab"
            // By its place: a tab whose label changes keeps the focus.
            key={`${id}-${index}`}
            id={`${id}-${index}`}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setChosen(index)}
            words={tab.label}
          />
        ))}
      </div>
      {/* Another tab's panel is another element, so that no button keeps its "Copied". */}
      <div key={chosen} role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {shown?.draw()}
      </div>
    </>
  );
}
