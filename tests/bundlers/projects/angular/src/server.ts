import { join } from "node:path";
import {
  AngularNodeAppEngine,
  createNodeRequestHandler,
  isMainModule,
  writeResponseToNodeResponse,
} from "@angular/ssr/node";
import express from "express";
import { servedListing } from "./served.js";

const app = express();
const angular = new AngularNodeAppEngine();

app.get("/served", (_request, response, next) => {
  servedListing().then((listing) => response.type("text").send(listing), next);
});
app.use(express.static(join(import.meta.dirname, "../browser"), { index: false }));
app.use((request, response, next) => {
  angular
    .handle(request)
    .then((page) => (page ? writeResponseToNodeResponse(page, response) : next()))
    .catch(next);
});

if (isMainModule(import.meta.url)) {
  const port = process.env["PORT"] || 4000;
  app.listen(port, () => console.log(`http://127.0.0.1:${port}`));
}

export const reqHandler = createNodeRequestHandler(app);
