/** A button that opens the browser's own dialog for files. */

import { useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface PickButtonProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly webkitdirectory?: boolean;
  readonly onPick: (files: readonly File[]) => void;
}

export function PickButton({ label, disabled = false, onPick, ...attributes }: PickButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button disabled={disabled} onClick={() => input.current?.click()} words={label} />
      <input
        {...attributes}
        type="file"
        hidden
        ref={input}
        onChange={({ currentTarget }) => {
          onPick(Array.from(currentTarget.files ?? []));
          // So that choosing the same files again is a change.
          currentTarget.value = "";
        }}
      />
    </>
  );
}
