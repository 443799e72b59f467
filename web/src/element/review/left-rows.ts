/** Rows in the place of what was left, each with a field for the reason. */
import { makeElement } from "../../ui/make-element.ts";

/** Passes on why something was left. */
export type GiveReason = (reason: string) => void;

/**
 * Marks a part of the page as left by a row before it, and asks for a reason, which nothing waits
 * for: Enter and a lost focus pass it on, Escape closes the field without one.
 *
 * `leaving` gives null if the part could not be left; the row then goes.
 */
export function markAsLeft(
  part: HTMLElement,
  name: string,
  leaving: Promise<GiveReason | null>,
): void {
  const placeholder = "Reason for the agent (optional)";
  const field = makeElement("input", { class: "field", placeholder });
  const row = makeElement(
    part.matches("li") ? "li" : "div",
    { class: "left", tabindex: -1 },
    makeElement("label", { class: "bar quiet" }, `${name}: left.`, field),
  );
  const close = () => {
    const list = row.parentElement;
    if (list !== null && row.matches(":focus-within")) {
      focusAt(list, [...list.children].indexOf(row) + 1);
    }
    if (!field.readOnly) {
      field.remove();
    }
  };
  field.addEventListener("change", () => {
    const reason = field.value.trim();
    if (reason !== "") {
      // Nothing moves below a pointer that is about to press another button.
      field.readOnly = true;
      void leaving.then((give) => give?.(reason));
    }
  });
  field.addEventListener("keydown", (event) => {
    const { key, isComposing } = event;
    if (!isComposing && (key === "Escape" || key === "Enter")) {
      // What gets the focus now would be pressed by the same key.
      event.preventDefault();
      if (key === "Escape" && !field.readOnly) {
        field.value = "";
      }
      close();
    }
  });
  part.before(row);
  // On a touch screen, a field with the focus opens a keyboard over what is left to decide.
  (matchMedia("(pointer: coarse)").matches ? row : field).focus({ preventScroll: true });
  void leaving.then((give) => {
    if (give === null) {
      close();
      row.remove();
    }
  });
}

/** Removes the rows in a part of the page; a reason that is being typed is passed on. */
export function removeRows(part: Element): void {
  for (const row of part.querySelectorAll(".left")) {
    row.querySelector("input")?.blur();
    row.remove();
  }
}

/**
 * Makes elements the only ones of a list, beside the rows, which keep their places in it.
 *
 * Only what stands elsewhere moves, since moving loses the focus. What takes the place of an
 * element with the focus gets it.
 */
export function arrange(list: HTMLElement, views: readonly { readonly element: Element }[]): void {
  const wanted = views.map(({ element }) => element);
  const before = [...list.children];
  const focused = before.findIndex((child) => child.matches(":focus-within"));
  for (const [index, child] of before.entries()) {
    if (child.matches(".left")) {
      wanted.splice(index, 0, child);
    } else if (!wanted.includes(child)) {
      removeRows(child);
      child.remove();
    }
  }
  for (const [index, element] of wanted.entries()) {
    const there = list.children[index] ?? null;
    if (there !== element) {
      list.insertBefore(element, there);
    }
  }
  if (focused >= 0 && !list.matches(":focus-within")) {
    focusAt(list, focused);
  }
}

/** Moves the focus; never to a button that decides, which the same key would press again. */
function focusAt(list: Element, index: number): void {
  const place = list.children[index] ?? list.lastElementChild;
  const found =
    place?.querySelector<HTMLElement>(".toggle") ??
    (place ?? list).closest<HTMLElement>("[tabindex]");
  found?.focus({ preventScroll: true });
}
