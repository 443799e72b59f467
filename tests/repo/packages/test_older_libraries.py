"""The packed package in programs of others: beside older libraries, and in four frameworks.

It serves an older library, or says why it does not.
"""

import json
import shutil
from pathlib import Path

import pytest

from build_steps.programs import find_program
from tests.support.programs import pack_npm, printed_by

_CLIENT = """
import { connect } from "treeglass/edge";

const client = await connect();
await client.mount("/repo", { entries: { "README.md": "" } });
const print = (value) => process.stdout.write(JSON.stringify(value));
"""

_AI_SDK = """
import * as ai from "ai";
import * as mocks from "ai/test";
import { aiSdkTools } from "treeglass/adapters/ai-sdk";

const isOld = "MockLanguageModelV2" in mocks;
const Model = isOld ? mocks.MockLanguageModelV2 : mocks.MockLanguageModelV3;
const calls = [{ dir_path: "/repo" }, { dir_path: "/none" }].map((input, number) => ({
  type: "tool-call",
  toolCallId: `call-${number}`,
  toolName: "list_dir",
  input: JSON.stringify(input),
}));
const told = [];
const model = new Model({
  async doGenerate({ prompt }) {
    const answers = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
    told.push(...answers.map(({ output }) => output));
    const reason = answers.length === 0 ? "tool-calls" : "stop";
    return {
      content: answers.length === 0 ? calls : [{ type: "text", text: "done" }],
      finishReason: isOld ? reason : { unified: reason, raw: reason },
      usage: isOld
        ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
        : { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    };
  },
});
const tools = await aiSdkTools(client, { allow: ["list_dir"] }).catch((error) => error);
if (tools instanceof Error) {
  print([tools.name, tools.message]);
} else {
  await ai.generateText({ model, tools, prompt: "?", stopWhen: ai.stepCountIs(3) });
  print(told);
}
await client.close();
"""

_LANGCHAIN = """
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { langChainTools } from "treeglass/adapters/langchain";

const tools = await langChainTools(client, { allow: ["list_dir"] }).catch((error) => error);
if (tools instanceof Error) {
  print([tools.name, tools.message]);
} else {
  const call = { type: "tool_call", name: "list_dir", id: "1", args: { dir_path: "/repo" } };
  const described = convertToOpenAITool(tools[0]).function;
  print([described.parameters.required, (await tools[0].invoke(call)).content]);
}
await client.close();
"""

_LISTING = "Absolute path: /repo\nREADME.md"
_SERVED_BY_AI_SDK = [
    {"type": "text", "value": _LISTING},
    {
        "type": "error-text",
        "value": "failed to read directory: No such file or directory (os error 2)",
    },
]


def _install_package(folder: Path) -> None:
    """Install the package beside what `package.json` names."""
    installing = (find_program("npm"), "install", "--prefer-offline", "--no-audit", "--no-fund")
    printed_by(*installing, pack_npm(), folder=folder)


@pytest.mark.network
@pytest.mark.parametrize(
    ("library", "program", "printed"),
    [
        pytest.param("ai@5.0.277", _AI_SDK, _SERVED_BY_AI_SDK, id="ai 5 is served"),
        pytest.param("ai@6.0.326", _AI_SDK, _SERVED_BY_AI_SDK, id="ai 6 is served"),
        pytest.param(
            "ai@4.3.19",
            _AI_SDK.replace("const model = new Model(", "const model = void ("),
            [
                "BadRequest",
                (
                    "aiSdkTools needs version 5, 6 or 7 of the package ai, and an older one is "
                    "installed: npm install ai@7."
                ),
            ],
            id="ai 4 is refused",
        ),
        pytest.param(
            "@langchain/core@0.3.80",
            _LANGCHAIN,
            [["dir_path"], _LISTING],
            id="LangChain 0.3 is served",
        ),
        pytest.param(
            "@langchain/core@0.3.20",
            _LANGCHAIN,
            [
                "BadRequest",
                (
                    "langChainTools needs @langchain/core 0.3.55 or newer, and an older one is "
                    "installed: npm install @langchain/core@1."
                ),
            ],
            id="LangChain 0.3.20 is refused",
        ),
    ],
)
def test_the_package_installs_beside_an_older_library_and_serves_it_or_says_why_not(
    tmp_path: Path, library: str, program: str, printed: object
) -> None:
    name, _, version = library.rpartition("@")
    about = {"type": "module", "private": True, "dependencies": {name: version}}
    (tmp_path / "package.json").write_text(json.dumps(about), "utf-8")
    (tmp_path / "program.mjs").write_text(_CLIENT + program, "utf-8")

    _install_package(tmp_path)

    assert json.loads(printed_by(find_program("node"), "program.mjs", folder=tmp_path)) == printed


@pytest.mark.network
def test_programs_that_are_right_compile_and_those_that_are_wrong_do_not(tmp_path: Path) -> None:
    programs = Path(__file__).with_name("framework_types")
    shutil.copytree(programs, tmp_path, dirs_exist_ok=True)
    _install_package(tmp_path)

    # It compiles the plain modules too; a line that should be wrong and is right is an error.
    assert printed_by(find_program("npx"), "vue-tsc", "--noEmit", folder=tmp_path) == ""
