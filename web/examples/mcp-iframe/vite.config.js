// biome-ignore lint/style/noDefaultExport: what Vite reads
export default {
  // The package finds its worker beside it, where a bundle of Vite's would not be.
  optimizeDeps: { exclude: ["treeglass"], include: ["@modelcontextprotocol/server"] },
};
