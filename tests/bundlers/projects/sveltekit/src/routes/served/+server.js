import { servedListing } from "../../served.js";

export async function GET() {
  return new Response(await servedListing());
}
