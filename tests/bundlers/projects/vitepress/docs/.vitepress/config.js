export default {
  head: [["link", { rel: "icon", href: "data:," }]],
  srcExclude: ["public/**"],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "treeglass-demo" } } },
};
