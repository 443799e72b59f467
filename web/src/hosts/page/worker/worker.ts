/** The module that a page starts as a worker. */
import { serve } from "../../../worker/serve.ts";
import { pageWorkerHost } from "./worker-host.ts";

serve(self, pageWorkerHost);
