import { servedListing } from "../served.js";

// Asked for by each request, and not by the build.
export const dynamic = "force-dynamic";

export async function GET() {
  return new Response(await servedListing());
}
