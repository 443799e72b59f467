/**
 * Makes and finds elements by type. Children are nodes or text, never markup: every module of the
 * page shows a tool's words this way.
 */

/** Returns a new element; a `true` attribute is present and empty, a `false` attribute is absent. */
export function makeElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number | boolean>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children);
  return element;
}

/** Returns a button of a custom element, which a page styles as the part `button`. */
export function makeButton(
  content: Node | string,
  onClick: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const all = { type: "button", part: "button", ...attributes };
  const button = makeElement("button", all, content);
  button.addEventListener("click", onClick);
  return button;
}

/**
 * Returns the element of the page with this id.
 *
 * @throws Error when the page has no such element of this type: index.html and the script disagree.
 */
export function findElement<Type extends Element>(id: string, type: abstract new () => Type): Type {
  const element = document.getElementById(id);
  if (!(element instanceof type)) {
    throw new Error(`the page has no ${type.name} with the id ${id}`);
  }
  return element;
}

/** Returns one of the page's own icons, drawn in the colour of the text around it. */
export function makeIcon(kind: keyof typeof ICON_PATHS): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const icon = document.createElementNS(namespace, "svg");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("class", "icon");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", ICON_PATHS[kind]);
  icon.append(path);
  return icon;
}

const ICON_PATHS = {
  files: "M1.75 12.75v-9.5h4l1.5 2h7v7.5z",
  copy: "M5.75 5.75h8.5v8.5h-8.5zM10.25 5.5V1.75h-8.5v8.5H5.5",
  reset: "M3 8a5 5 0 1 0 1.6-3.7M3 2.25V5.5h3.25",
} as const;
