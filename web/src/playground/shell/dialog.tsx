/** A modal dialog with a heading and a button that closes it; each opening begins anew. */

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "./button.tsx";

interface DialogProps {
  readonly class: string;
  readonly title: ComponentChildren;
  readonly isOpen: boolean;
  /** Called when the visitor closes it, and after each other closing. */
  readonly onClose: () => void;
  /** Drawn only while it is open. */
  readonly children: ComponentChildren;
}

export function Dialog({ title, isOpen, onClose, children, ...attributes }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // An effect after the paint would leave an empty dialog, which swallows what is typed meanwhile.
  useLayoutEffect(() => {
    if (isOpen) {
      dialog.current?.showModal();
    } else {
      dialog.current?.close();
    }
  }, [isOpen]);
  return (
    <dialog
      {...attributes}
      ref={dialog}
      aria-labelledby={id}
      // The event comes late: the dialog may be open again.
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
    >
      {isOpen && (
        <>
          <div class="row dialog-head">
            <h2 id={id}>{title}</h2>
            <Button onClick={() => dialog.current?.close()} words="Close" />
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}
