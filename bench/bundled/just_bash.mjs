// just-bash as its manual uses it in a page; the measurement bundles it.
export { Bash } from "just-bash/browser";
