/** A style sheet, which the bundler imports as its text. */
declare module "*.css" {
  const css: string;
  // biome-ignore lint/style/noDefaultExport: what a bundler's text loader exports
  export default css;
}
