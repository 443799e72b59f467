import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reachableTarget } from "../../src/hosts/thread/worker/host-place.ts";

const ROOTS = ["/srv/tree", "/srv/called"];

describe("a link of a folder", () => {
  const links: [string, string, readonly string[], string][] = [
    ["is left as it is where it stays inside", "../a/b", ["sub"], "../a/b"],
    ["is left as it is where it leads nowhere", "no/such", [], "no/such"],
    ["with a whole path inside is made relative", "/srv/tree/a/b", ["sub", "deep"], "../../a/b"],
    ["that calls the folder as the program does, too", "/srv/called/a", [], "a"],
    ["to the folder itself is the way up", "/srv/tree", ["sub"], "../"],
    ["to the folder itself, in it, is a dot", "/srv/tree", [], "."],
    ["to a folder keeps its slash", "/srv/tree/sub/", [], "sub/"],
    ["that leaves and comes back is made direct", "../../tree/a", ["sub"], "../a"],
    ["with a whole path outside stays as it is written", "/etc/passwd", [], "/etc/passwd"],
    ["that leads out stays as it is written", "../../beside", ["sub"], "../../beside"],
    ["to a folder of a like name leads out", "/srv/tree-2/a", [], "/srv/tree-2/a"],
    ["to a name that begins with dots is inside", "/srv/tree/..a", [], "..a"],
  ];
  for (const [title, target, parents, expected] of links) {
    test(title, () => {
      assert.equal(reachableTarget(target, parents, ROOTS), expected);
    });
  }
});
