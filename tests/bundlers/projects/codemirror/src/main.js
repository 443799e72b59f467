import { propose } from "./proposal.js";
import { showReview } from "./review.js";

let refresh = () => undefined;
const client = await propose(() => refresh());
refresh = showReview(document.querySelector("#app"), client);
await refresh();
