import adapter from "@sveltejs/adapter-node";
import { sveltekit } from "@sveltejs/kit/vite";

// Compressing the assets would take a minute.
export default { plugins: [sveltekit({ adapter: adapter({ precompress: false }) })] };
