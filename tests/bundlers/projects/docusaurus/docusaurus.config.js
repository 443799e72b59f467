export default {
  title: "A tree",
  url: "https://example.com",
  baseUrl: "/",
  headTags: [{ tagName: "link", attributes: { rel: "icon", href: "data:," } }],
  clientModules: ["./src/treeglass.js"],
  presets: [["classic", { blog: false, docs: false }]],
};
