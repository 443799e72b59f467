/** The style sheet as a text, as the bundler leaves it. */
declare const css: string;
// biome-ignore lint/style/noDefaultExport: what a bundler's text loader exports
export default css;
