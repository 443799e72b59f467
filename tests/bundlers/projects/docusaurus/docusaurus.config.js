export default {
  title: "A tree",
  url: "https://example.com",
  baseUrl: "/",
  clientModules: ["./src/treeglass.js"],
  presets: [["classic", { blog: false, docs: false }]],
};
