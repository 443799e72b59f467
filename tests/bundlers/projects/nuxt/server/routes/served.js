import { servedListing } from "#shared/served.js";

export default defineEventHandler(() => servedListing());
