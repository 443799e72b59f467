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
  icon.setAttribute("class", `icon icon-${kind}`);
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", ICON_PATHS[kind]);
  icon.append(path);
  return icon;
}

const ICON_PATHS = {
  twist: "M6 4l4 4-4 4",
  directory: "M1.75 12.75v-9.5h4l1.5 2h7v7.5z",
  file: "M3.75 14.25V1.75h5.5l3 3v9.5zM9.25 1.75v3h3",
  link: "M3 12.5V7.5a2 2 0 0 1 2-2h8M10 2.5l3 3-3 3",
} as const;
