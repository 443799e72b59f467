// biome-ignore lint/style/noDefaultExport: what Vite reads
export default {
  // WebMCP is for pages alone in their origin's agent cluster, which not every browser grants unasked.
  server: { headers: { "Origin-Agent-Cluster": "?1" } },
};
