import { servedListing } from "../../app/served.js";

export default defineEventHandler(() => servedListing());
