/** A style sheet, which the bundler imports as its text. */
declare module "*.css" {
  const css: string;
  // biome-ignore lint/style/noDefaultExport: a bundler's text loader has a default export
  export default css;
}
