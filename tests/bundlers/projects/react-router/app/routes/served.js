import { servedListing } from "../served.js";

export async function loader() {
  return new Response(await servedListing());
}
