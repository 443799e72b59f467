/** A form drawn from a tool's input schema. */

import { useId, useState } from "preact/hooks";
import {
  parseField,
  renderField,
  shownField,
  withProperty,
  wordKind,
} from "../../../ui/field-values.ts";
import type { SchemaProperty } from "../../../ui/input-schema.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../ui/json.ts";

/** The texts that may have several lines; a schema cannot say so. */
const LONG_TEXTS: readonly string[] = ["input", "patch", "content", "old_string", "new_string"];

interface SchemaFieldsProps {
  readonly properties: readonly SchemaProperty[];
  readonly values: JsonObject;
  readonly onChange: (values: JsonObject) => void;
}

export function SchemaFields({ properties, values, onChange }: SchemaFieldsProps) {
  return properties.map((property) => {
    const { name } = property;
    const value = values[name];
    const change = (next: JsonValue | undefined) => onChange(withProperty(values, name, next));
    return property.kind === "object" ? (
      <fieldset key={name} class="field-group">
        <legend>{name}</legend>
        <SchemaFields
          properties={property.properties}
          values={isJsonObject(value) ? value : {}}
          onChange={(inner) => change(Object.keys(inner).length === 0 ? undefined : inner)}
        />
      </fieldset>
    ) : (
      <Field key={name} property={property} value={value} onChange={change} />
    );
  });
}

interface FieldProps {
  readonly property: SchemaProperty;
  readonly value: JsonValue | undefined;
  readonly onChange: (value: JsonValue | undefined) => void;
}

function Field({ property, value, onChange }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const { name, kind, description, isRequired, defaultValue } = property;
  const attributes = {
    id,
    value: shownField(property, typed, value),
    "aria-required": isRequired,
    ...(description === "" ? {} : { "aria-describedby": `${id}-help` }),
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped(currentTarget.value);
      onChange(parseField(property, currentTarget.value));
    },
  };
  const unset = renderField({ kind: "json" }, defaultValue ?? undefined);
  const text = { spellcheck: false, autocomplete: "off", autocapitalize: "none" } as const;
  return (
    <div class="field stack">
      <label for={id}>
        {name} <span class="dim">{wordKind(property)}</span>
      </label>
      {kind === "boolean" || kind === "choice" ? (
        <select {...attributes}>
          <option value="">{unset === "" ? "not set" : `default: ${unset}`}</option>
          {(kind === "boolean" ? ["true", "false"] : property.choices).map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : kind === "strings" || kind === "json" || LONG_TEXTS.includes(name) ? (
        <textarea class="figure" rows={2} placeholder={unset} {...text} {...attributes} />
      ) : (
        // A number too: a visitor may want to see how the tool answers wrong input.
        <input type="text" placeholder={unset} {...text} {...attributes} />
      )}
      {description !== "" && (
        <p class="dim" id={`${id}-help`}>
          {description}
        </p>
      )}
    </div>
  );
}
