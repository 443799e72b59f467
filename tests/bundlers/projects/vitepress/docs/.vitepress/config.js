export default {
  srcExclude: ["public/**"],
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag === "treeglass-demo" } } },
};
