import node from "@astrojs/node";
import react from "@astrojs/react";

export default {
  output: "server",
  adapter: node({ mode: "standalone" }),
  integrations: [react()],
};
