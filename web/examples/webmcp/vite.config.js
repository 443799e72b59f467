// biome-ignore lint/style/noDefaultExport: what Vite reads
export default {
  // The package finds its worker beside it, where a bundle of Vite's would not be.
  optimizeDeps: { exclude: ["treeglass"] },
  // WebMCP is for pages alone in their origin's agent cluster, which not every browser grants unasked.
  server: { headers: { "Origin-Agent-Cluster": "?1" } },
};
