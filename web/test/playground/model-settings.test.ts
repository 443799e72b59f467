import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ModelSettings } from "../../src/playground/model/model-settings.ts";
import { toolsFor } from "../../src/playground/model-tools.ts";

describe("the settings of a model", () => {
  test("say what is missing, one thing after the other", () => {
    const settings = new ModelSettings();
    assert.equal(settings.read(), "Type your key for OpenAI.");
    settings.set({ key: " sk-1 " });
    assert.equal(settings.read(), "Type the name of a model, or press List models.");
    settings.set({ model: "m" });
    const chosen = settings.read();
    assert.ok(typeof chosen !== "string");
    const { preset, ...typed } = chosen;
    assert.deepEqual(
      [preset.name, typed],
      [
        "openai",
        {
          address: "https://api.openai.com/v1",
          key: "sk-1",
          model: "m",
          family: "codex",
          mayChange: false,
        },
      ],
    );
    settings.usePreset("own");
    const words = "Type the address of the server: it begins with https:// or http://.";
    assert.equal(settings.read(), words);
    for (const address of ["ftp://a.example", "https://me:secret@a.example/v1"]) {
      settings.set({ address });
      assert.equal(settings.read(), words);
    }
  });

  test("give a key to no other server than the one it was typed for", () => {
    const settings = new ModelSettings();
    settings.set({ key: "sk-1" });
    settings.set({ address: "https://api.openai.com/v2" });
    assert.equal(settings.values.value.key, "sk-1");
    settings.set({ address: "https://a.example/v1" });
    assert.equal(settings.values.value.key, "");
    settings.set({ key: "sk-2" });
    settings.usePreset("gemini");
    assert.equal(settings.values.value.key, "");
  });

  test("compare with another set than the chosen one", () => {
    const settings = new ModelSettings();
    assert.equal(settings.otherFamily, "envelope");
    settings.set({ family: "envelope" });
    assert.equal(settings.otherFamily, "codex");
    settings.set({ otherFamily: "Forge" });
    assert.equal(settings.otherFamily, "Forge");
  });

  test("take a number, or nothing", () => {
    const settings = new ModelSettings();
    const read = (sentPrice: string) => {
      settings.set({ sentPrice });
      return settings.numberIn("sentPrice");
    };
    assert.deepEqual(["", " 2.5 ", "0", "-1", "two"].map(read), [null, 2.5, 0, null, null]);
  });
});

describe("the tools of a set", () => {
  test("change files only if the model may", () => {
    assert.deepEqual(toolsFor("codex", false), ["list_dir", "read_file", "grep_files"]);
    assert.deepEqual(toolsFor("envelope", false), ["LS", "Read", "Glob", "Grep"]);
    assert.deepEqual(toolsFor("Forge", false), ["list_directory", "Search", "forge.Read"]);
    assert.deepEqual(toolsFor("Forge", true).slice(3), ["forge.Edit", "forge.Write"]);
  });
});
