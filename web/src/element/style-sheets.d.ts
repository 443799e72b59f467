/** A style sheet as a text, as the bundler leaves it. */
declare module "*.css" {
  const css: string;
  // biome-ignore lint/style/noDefaultExport: what a bundler's text loader exports
  export default css;
}
