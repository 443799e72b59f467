import { ReviewClient } from "/review_client.js";

const element = document.querySelector("treeglass-review");
globalThis.client = new ReviewClient();
globalThis.heard = [];
globalThis.violations = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  violations.push(`${effectiveDirective}: ${blockedURI}`);
});
addEventListener("treeglass-decision", ({ detail }) => heard.push(detail));
element.client = client;
