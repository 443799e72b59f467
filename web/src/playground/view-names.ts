/** The names of the page's views. */
export const VIEW_NAMES = ["console", "agent", "compare"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];
