// just-bash as its manual has it in a page, bundled by the measurement.
export { Bash } from "just-bash/browser";
