/** The choice of a tool: a text field with a list by family, by the ARIA pattern of a combobox. */

import { useEffect, useId, useRef, useState } from "preact/hooks";
import type { ToolDefinition } from "../../index.ts";
import { groupTools } from "./tool-choice.ts";

export interface ToolComboboxProps {
  readonly tools: readonly ToolDefinition[];
  readonly chosen: string;
  readonly onChoose: (toolName: string) => void;
  /** Called when the list opens: the offered tools may have changed. */
  readonly onOpen: () => void;
}

export function ToolCombobox({ tools, chosen, onChoose, onOpen }: ToolComboboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  /** The typed text; null while the list is closed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const groups = typed === null ? [] : groupTools(tools, typed);
  const names = groups.flatMap((group) => group.tools.map(({ name }) => name));
  const activeName = names[Math.min(active, names.length - 1)];
  const optionId = (name: string) => `${id}-${name}`;
  const open = (text = "") => {
    onOpen();
    setTyped(text);
    setActive(0);
  };
  const choose = (name: string) => {
    setTyped(null);
    onChoose(name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (typed === null) {
        open();
      } else if (names.length > 0) {
        setActive((Math.min(active, names.length - 1) + step + names.length) % names.length);
      }
    } else if (event.key === "Enter" && !event.ctrlKey && activeName !== undefined) {
      event.preventDefault();
      choose(activeName);
    } else if (event.key === "Escape" && typed !== null) {
      event.stopPropagation();
      setTyped(null);
    }
  };
  useEffect(() => {
    if (activeName !== undefined) {
      document.getElementById(optionId(activeName))?.scrollIntoView({ block: "nearest" });
    }
  }, [activeName]);
  return (
    <div class="tool-combobox">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Call a tool"
        aria-expanded={typed !== null}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeName === undefined ? undefined : optionId(activeName)}
        placeholder="Call a tool…"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={typed ?? chosen}
        onClick={() => typed === null && open()}
        onInput={(event) => open(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={onKeyDown}
      />
      <ToolList
        id={id}
        groups={groups}
        isOpen={typed !== null}
        active={activeName}
        onChoose={choose}
      />
    </div>
  );
}

interface ToolListProps {
  readonly id: string;
  readonly groups: ReturnType<typeof groupTools>;
  readonly isOpen: boolean;
  readonly active: string | undefined;
  readonly onChoose: (toolName: string) => void;
}

function ToolList({ id, groups, isOpen, active, onChoose }: ToolListProps) {
  return (
    <div class="tool-list" id={`${id}-list`} role="listbox" aria-label="Tools" hidden={!isOpen}>
      {groups.map(({ family, explanation, tools }) => (
        // biome-ignore lint/a11y/useSemanticElements: the options of a listbox have groups by role
        <div key={family} role="group" aria-labelledby={`${id}-${family}-family`}>
          <p class="tool-family" id={`${id}-${family}-family`}>
            <strong>{family}</strong> {explanation}
          </p>
          {tools.map(({ name, summary }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the text field has the keys and the focus
            <div
              key={name}
              id={`${id}-${name}`}
              class="tool-option"
              role="option"
              aria-selected={name === active}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(name)}
            >
              <code>{name}</code> <span class="dim">{summary}</span>
            </div>
          ))}
        </div>
      ))}
      {isOpen && groups.length === 0 && <p class="dim">No tool has this name.</p>}
    </div>
  );
}
