/** The choice of a tool: a text field with a list by family, by the ARIA pattern of a combobox. */

import type { Signal } from "@preact/signals";
import { useEffect, useId, useLayoutEffect, useState } from "preact/hooks";
import { fullNameOf } from "../../../adapters/named-tools.ts";
import { estimateTokens } from "../../../adapters/output-profile.ts";
import type { ToolDefinition } from "../../../index.ts";
import { EDITING_TOOLS } from "../../model-tools.ts";
import { SearchContents, searchContents } from "../../shell/search-contents.tsx";
import { draftTool } from "../../state/call-draft.ts";
import type { PageState } from "../../state/page-state.ts";
import { DESIGNS, TOOL_NOTES, type ToolFamily } from "../../tool-notes.ts";

interface ToolComboboxProps {
  readonly page: PageState;
  /** The typed text, which stays while no tool has this name; null where the field has the tool. */
  readonly typed: Signal<string | null>;
  readonly tools: readonly ToolDefinition[];
  readonly onOpen: () => void;
  /** Offers the tools of a family that change files, for the one that is chosen. */
  readonly onMissing: (family: ToolFamily) => Promise<void>;
  /** Called when a tool was chosen, with its fields drawn. */
  readonly onChosen: () => void;
}

export function ToolCombobox(props: ToolComboboxProps) {
  const { page, typed, tools, onOpen, onMissing, onChosen } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState(0);
  const groups = isOpen ? groupTools(tools, typed.value ?? "") : [];
  const options = groups.flatMap((group) => group.tools);
  const active = options[Math.min(place, options.length - 1)];
  const open = (text = "") => {
    onOpen();
    typed.value = text;
    setOpen(true);
    setPlace(0);
  };
  const close = () => {
    typed.value = null;
    setOpen(false);
  };
  const choose = async ({ name, family, isOffered }: ToolOption) => {
    close();
    // At once: an earlier choice may still wait for its tools.
    draftTool.value = name;
    if (!isOffered && family !== "other") {
      await onMissing(family);
    }
  };
  const chooseAndGoOn = async (option: ToolOption) => {
    await choose(option);
    if (draftTool.peek() === option.name) {
      // The fields of the tool are drawn after this event.
      requestAnimationFrame(onChosen);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) {
        open(typed.value ?? "");
      } else if (options.length > 0) {
        setPlace((Math.min(place, options.length - 1) + step + options.length) % options.length);
      }
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      // Never submits the form: the arguments may be the ones of the example, not the visitor's.
      event.preventDefault();
      if (active !== undefined) {
        void chooseAndGoOn(active);
      } else if (typed.value === null && draftTool.value !== "") {
        onChosen();
      } else if (isOpen && typed.value) {
        const text = typed.value;
        close();
        searchContents(page, text);
      }
    } else if (event.key === "Escape" && typed.value !== null) {
      event.stopPropagation();
      close();
    }
  };
  // A whole name is a choice, also if the tools arrive after it, unless two families have it.
  const [whole, another] = options.filter(({ name }) => name === typed.value);
  const wholeName = another === undefined ? whole?.name : undefined;
  useLayoutEffect(() => {
    if (whole !== undefined && wholeName !== undefined) {
      void choose(whole);
    }
  }, [wholeName]);
  const activeId = active === undefined ? undefined : `${id}-${active.fullName}`;
  useEffect(() => {
    if (activeId !== undefined) {
      document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
    }
  }, [activeId]);
  return (
    <div class="tool-combobox">
      <input
        id="tool-name"
        type="text"
        role="combobox"
        aria-label="Call a tool"
        aria-expanded={groups.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder="Call a tool…"
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={typed.value ?? draftTool.value}
        onClick={() => isOpen || open(typed.value ?? "")}
        onInput={(event) => open(event.currentTarget.value)}
        onBlur={() => {
          setOpen(false);
          typed.value ||= null;
        }}
        onKeyDown={onKeyDown}
      />
      <div
        class="tool-list"
        id={`${id}-list`}
        role="listbox"
        aria-label="Tools"
        hidden={groups.length === 0}
      >
        {groups.map((group) => (
          <Group
            key={group.family}
            id={id}
            group={group}
            active={active}
            onChoose={(option) => void chooseAndGoOn(option)}
          />
        ))}
      </div>
      {isOpen && groups.length === 0 && (
        <div class="tool-list" onPointerDown={(event) => event.preventDefault()}>
          <p class="dim">No tool has this name.</p>
          <SearchContents page={page} text={typed.value ?? ""} onSearch={close} />
        </div>
      )}
    </div>
  );
}

interface GroupProps {
  readonly id: string;
  readonly group: ToolGroup;
  readonly active: ToolOption | undefined;
  readonly onChoose: (option: ToolOption) => void;
}

function Group({ id, group: { family, explanation, tools }, active, onChoose }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the options of a listbox have groups by role
    <div role="group" aria-labelledby={`${id}-of-${family}`}>
      <p class="tool-family dim" id={`${id}-of-${family}`}>
        <strong>{family}</strong>: {explanation}
      </p>
      {tools.map((option) => (
        // biome-ignore lint/a11y: the text field has the keys and the focus
        <div
          key={option.fullName}
          id={`${id}-${option.fullName}`}
          class="tool-option"
          role="option"
          aria-selected={option === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          <code>{option.name}</code> <span class="dim">{option.summary}</span>
        </div>
      ))}
    </div>
  );
}

interface ToolOption {
  readonly name: string;
  /** Differs from that of every other option. */
  readonly fullName: string;
  readonly summary: string;
  readonly family: ToolFamily | "other";
  readonly isOffered: boolean;
}

interface ToolGroup {
  readonly family: string;
  /** Whose design it is, in one line. */
  readonly explanation: string;
  readonly tools: readonly ToolOption[];
}

const GROUPS = { ...DESIGNS, other: "tools that only your configuration offers" };

/** Returns the tools whose name or summary has each typed word, by family. */
export function groupTools(
  definitions: readonly ToolDefinition[],
  typed = "",
): readonly ToolGroup[] {
  const words = typed.toLowerCase().split(/\s+/);
  const options = listOptions(definitions).filter(({ family, name, summary }) => {
    const text = `${family} ${name} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return Object.entries(GROUPS).flatMap(([family, explanation]) => {
    const tools = options.filter((option) => option.family === family);
    return tools.length === 0 ? [] : [{ family, explanation, tools }];
  });
}

/** Returns the offered tools, and those that change files, whether they are offered or not. */
function listOptions(definitions: readonly ToolDefinition[]): readonly ToolOption[] {
  const byFullName = new Map(definitions.map((tool) => [fullNameOf(tool), tool]));
  const reading = TOOL_NOTES.map((note) => ({
    ...note,
    // Two families may share a name.
    fullName: `${note.family.toLowerCase()}.${note.name}`,
    isOffered: true,
  }));
  const known = [
    ...reading.filter(({ name, fullName }) => byFullName.get(fullName)?.name === name),
    ...EDITING_TOOLS.map((tool) => {
      const offered = byFullName.get(tool.fullName);
      return { ...tool, name: offered?.name ?? tool.name, isOffered: offered !== undefined };
    }),
  ];
  const others = definitions
    .filter((tool) => !known.some(({ fullName }) => fullName === fullNameOf(tool)))
    .map((tool) => ({
      family: "other" as const,
      name: tool.name,
      fullName: fullNameOf(tool),
      summary: tool.description.split(/(?<=[.!?])\s/, 1)[0] ?? "",
      isOffered: true,
    }));
  return [...known, ...others];
}

/** Returns about how many tokens a model reads of a tool in every request. */
export function costOf({ name, description, inputSchema }: ToolDefinition): number {
  return estimateTokens(JSON.stringify({ name, description, inputSchema }));
}
