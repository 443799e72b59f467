/** The choice of a tool: a text field with a list by family, by the ARIA pattern of a combobox. */

import { useEffect, useId, useLayoutEffect, useState } from "preact/hooks";
import { estimateTokens } from "../../../adapters/token-estimate.ts";
import type { ToolDefinition } from "../../../index.ts";
import { draftTool } from "../../state/call-draft.ts";
import { findNote, TOOL_NOTES } from "../../tool-notes.ts";

export interface ToolComboboxProps {
  readonly tools: readonly ToolDefinition[];
  readonly onOpen: () => void;
  /** Called when a tool was chosen, with its fields drawn. */
  readonly onChosen: () => void;
}

export function ToolCombobox({ tools, onOpen, onChosen }: ToolComboboxProps) {
  const id = useId();
  /** The typed text; null while the list is closed. */
  const [typed, setTyped] = useState<string | null>(null);
  const [place, setPlace] = useState(0);
  const groups = typed === null ? [] : groupTools(tools, typed);
  const names = groups.flatMap((group) => group.tools.map(({ name }) => name));
  const active = names[Math.min(place, names.length - 1)];
  const open = (text = "") => {
    onOpen();
    setTyped(text);
    setPlace(0);
  };
  const choose = (name: string) => {
    setTyped(null);
    draftTool.value = name;
  };
  const chooseAndGoOn = (name: string) => {
    choose(name);
    // The fields of the tool are drawn after this event.
    requestAnimationFrame(onChosen);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (typed === null) {
        open();
      } else if (names.length > 0) {
        setPlace((Math.min(place, names.length - 1) + step + names.length) % names.length);
      }
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      // Never submits the form: the arguments may be the ones of the example, not the visitor's.
      event.preventDefault();
      const name = typed === null ? draftTool.value : active;
      if (name !== undefined && name !== "") {
        chooseAndGoOn(name);
      }
    } else if (event.key === "Escape" && typed !== null) {
      event.stopPropagation();
      setTyped(null);
    }
  };
  // A whole name is a choice, also if the tools arrive after it: the list has nothing to add.
  const whole = tools.find(({ name }) => name === typed)?.name;
  useLayoutEffect(() => {
    if (whole !== undefined) {
      choose(whole);
    }
  }, [whole]);
  const activeId = active === undefined ? undefined : `${id}-${active}`;
  useEffect(() => {
    if (activeId !== undefined) {
      document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
    }
  }, [activeId]);
  return (
    <div class="tool-combobox">
      <input
        type="text"
        role="combobox"
        aria-label="Call a tool"
        aria-expanded={typed !== null}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder="Call a tool…"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={typed ?? draftTool.value}
        onClick={() => typed === null && open()}
        onInput={(event) => open(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        onKeyDown={onKeyDown}
      />
      <div
        class="tool-list"
        id={`${id}-list`}
        role="listbox"
        aria-label="Tools"
        hidden={typed === null}
      >
        {groups.map((group) => (
          <Group
            key={group.family}
            id={id}
            group={group}
            active={active}
            onChoose={chooseAndGoOn}
          />
        ))}
        {groups.length === 0 && <p class="dim">No tool has this name.</p>}
      </div>
    </div>
  );
}

interface GroupProps {
  readonly id: string;
  readonly group: ToolGroup;
  readonly active: string | undefined;
  readonly onChoose: (toolName: string) => void;
}

function Group({ id, group: { family, explanation, tools }, active, onChoose }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the options of a listbox have groups by role
    <div role="group" aria-labelledby={`${id}-of-${family}`}>
      <p class="tool-family dim" id={`${id}-of-${family}`}>
        <strong>{family}</strong>: {explanation}
      </p>
      {tools.map(({ name, summary }) => (
        // biome-ignore lint/a11y: the text field has the keys and the focus
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
  );
}

interface ToolGroup {
  readonly family: string;
  /** Whose design it is, in one line. */
  readonly explanation: string;
  readonly tools: readonly { readonly name: string; readonly summary: string }[];
}

const FAMILIES: Readonly<Record<string, string>> = {
  codex: "the design of OpenAI's Codex: plain text, few tokens",
  envelope: "the design of MyCodeAgent: JSON for a program, with text for a model",
  Forge: "the design of Forge, by Daniel Cazares: JSON, sizes and columns",
  other: "tools that are off by default, most of them to change files",
};

/** Returns the tools whose name or summary has each typed word, by family. */
export function groupTools(
  definitions: readonly Pick<ToolDefinition, "name" | "description">[],
  typed = "",
): readonly ToolGroup[] {
  const known = TOOL_NOTES.filter(({ name }) => definitions.some((tool) => tool.name === name));
  const others = definitions.filter(({ name }) => findNote(name) === undefined);
  const words = typed.toLowerCase().split(/\s+/);
  const options = [
    ...known.map(({ family, name, summary }) => ({ family, name, summary })),
    ...others.map(({ name, description }) => ({
      family: "other",
      name,
      summary: description.split(/(?<=[.!?])\s/, 1)[0] ?? "",
    })),
  ].filter(({ family, name, summary }) => {
    const text = `${family} ${name} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return Object.entries(FAMILIES).flatMap(([family, explanation]) => {
    const tools = options.filter((option) => option.family === family);
    return tools.length === 0 ? [] : [{ family, explanation, tools }];
  });
}

/** Returns about how many tokens a model reads of a tool in every request. */
export function costOf({ name, description, inputSchema }: ToolDefinition): number {
  return estimateTokens(JSON.stringify({ name, description, inputSchema }));
}
