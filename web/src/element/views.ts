/** The views that a demo shows only when its reader or its author asks for them; `element-views.js`. */
export { ArgumentsForm } from "./arguments/arguments-form.ts";
export { FileTree } from "./files/file-tree.ts";
export { addressInPlayground, renderDemoProgram } from "./runs/take-along.ts";
export { adoptViewStyles } from "./styles.ts";
