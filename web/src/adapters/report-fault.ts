export { reportFault } from "../protocol/report-fault.ts";
