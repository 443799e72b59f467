"""A program's start with a damaged file ends at once, names the file, and runs no foreign code."""

import json
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from build_steps.programs import find_program
from tests.support.damaged_assets import damages
from tests.support.hosts.edge_support import PACKAGE
from tests.support.late_code import cold_package
from tests.support.programs import printed_by
from tests.support.start_json import without_image

_PATIENCE_S = 240

_STARTS = """
import { connect } from %s;
const said = [];
for (const assets of process.argv.slice(2)) {
  const late = new Promise((resolve) => setTimeout(resolve, 20_000, { message: "waiting" }));
  const start = connect({ assets }).then(() => ({ message: "started" }), (error) => error);
  const { name, message } = await Promise.race([start, late]);
  said.push([name ?? null, message.replaceAll(assets, "")]);
}
console.log(JSON.stringify(said));
process.exit();
"""


def _said(folder: Path, copies: list[Path]) -> list[list[str]]:
    program = folder / "starts.mjs"
    program.write_text(_STARTS % json.dumps((PACKAGE / "edge.js").as_uri()))
    printed = printed_by(find_program("node"), program, *copies, timeout=_PATIENCE_S)
    said: list[list[str]] = json.loads(printed)
    return said


def _copy(folder: Path, replaced: Mapping[str, bytes | None]) -> Path:
    """Make a folder of the assets in which some files differ."""
    assets = PACKAGE / "assets"
    for file in assets.rglob("*"):
        path = file.relative_to(assets).as_posix()
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.is_file() and path not in replaced:
            copy.symlink_to(file)
    for path, content in replaced.items():
        if content is not None:
            (folder / path).write_bytes(content)
    return folder


def _message(fault: str) -> str:
    return (
        f"The runtime could not be loaded from /: {fault}. Install the package again, or pass the "
        "path of its assets folder as connect({ assets })."
    )


def test_any_damaged_file_ends_the_start(tmp_path: Path) -> None:
    tried = list(damages(PACKAGE))
    copies = [
        _copy(tmp_path / str(number), damage.replaced(PACKAGE))
        for number, damage in enumerate(tried)
    ]

    said = list(zip(tried, _said(tmp_path, copies), strict=True))

    assert said == [
        (damage, ["StartFailed", _message(damage.complaint("could not be fetched"))])
        for damage in tried
    ]


def test_foreign_code_in_a_wheel_does_not_run(tmp_path: Path) -> None:
    start = json.loads((PACKAGE / "assets" / "start.json").read_text("utf-8"))
    (wheel,) = (path for path in start["files"] if "/treeglass-" in path)
    foreign = tmp_path / "foreign.whl"
    foreign.write_bytes((PACKAGE / "assets" / wheel).read_bytes())
    mark = tmp_path / "ran"
    with zipfile.ZipFile(foreign, "a") as archive:
        archive.writestr("treeglass/foreign.py", f"open({str(mark)!r}, 'w')")
    replaced = {"start.json": without_image(PACKAGE), wheel: foreign.read_bytes()}

    said = _said(tmp_path, [_copy(tmp_path / "assets", replaced)])

    message = _message(f"{wheel} is not the file that start.json names")
    assert said == [["StartFailed", message]]
    assert not mark.exists()


def test_a_damaged_part_that_a_start_needs_late_ends_it(tmp_path: Path) -> None:
    assets = cold_package() / "assets"
    (late,) = assets.rglob("pyodide.asm.late.wasm")
    name = late.relative_to(assets).as_posix()
    contents = {
        "could not be fetched": None,
        "is not the file that start.json names": late.read_bytes()[:-1] + b"x",
    }
    copies = []
    for number, content in enumerate(contents.values()):
        copies.append(tmp_path / str(number))
        shutil.copytree(assets, copies[-1])
        (copies[-1] / name).unlink()
        if content is not None:
            (copies[-1] / name).write_bytes(content)

    said = _said(tmp_path, copies)

    assert said == [["StartFailed", _message(f"{name} {complaint}")] for complaint in contents]
