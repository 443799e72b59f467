"""The workflows of GitHub: their checks see faults, and their steps do what a release needs."""

import json
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from build_steps.folders import project_version
from build_steps.testing.check import workflow_checks

_FAULTS = {
    # An expression that names an unknown context.
    "actionlint": "echo ${{ gihtub.sha }}",
    # The title of a pull request is code to the shell.
    "zizmor": "echo ${{ github.event.pull_request.title }}",
}


def _workflow(root: Path, name: str) -> dict[str, Any]:
    text = (root / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    workflow: dict[str, Any] = YAML(typ="safe").load(text)
    return workflow


def _steps(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job.get("steps", [])


@pytest.mark.parametrize("name", _FAULTS)
def test_each_check_refuses_its_kind_of_fault(name: str, tmp_path: Path) -> None:
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    job = f"runs-on: ubuntu-24.04\n    steps:\n      - run: {_FAULTS[name]}\n"
    (folder / "bad.yml").write_text(
        f"on: pull_request\npermissions: {{}}\njobs:\n  one:\n    {job}", encoding="utf-8"
    )

    checked = subprocess.run(workflow_checks()[name], cwd=tmp_path, check=False)

    assert checked.returncode != 0


def test_every_action_is_pinned_by_a_commit_and_says_its_version(root: Path) -> None:
    lines = [
        line.strip().removeprefix("- ")
        for workflow in (root / ".github" / "workflows").glob("*.yml")
        for line in workflow.read_text("utf-8").splitlines()
        if "uses: " in line and "uses: ./" not in line
    ]

    assert lines
    pinned = r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"
    assert [line for line in lines if re.fullmatch(pinned, line) is None] == []


def test_one_commit_of_an_action_is_used_everywhere(root: Path) -> None:
    used = [
        step["uses"].split("@")
        for name in ("test", "release", "weekly")
        for step in _steps(_workflow(root, name))
        if "uses" in step
    ]

    assert len({name for name, _ in used}) == len({tuple(one) for one in used})


def test_the_tests_run_on_all_three_systems(root: Path) -> None:
    job = _workflow(root, "test")["jobs"]["test"]

    runs = job["strategy"]["matrix"]["include"]
    systems = [run["system"].partition("-")[0] for run in runs]
    assert systems == ["ubuntu", "macos", "windows"]
    assert [step["run"] for step in job["steps"] if "run" in step] == ["bash .ci/run"]


def test_the_profile_is_compared_each_week_and_not_at_each_change(root: Path) -> None:
    weekly = _workflow(root, "weekly")
    at_each_change = (root / ".ci" / "run").read_text("utf-8")

    commands = [step["run"] for step in _steps(weekly) if "run" in step]
    assert "python3 build.py profile --check" in commands
    assert [one["cron"] for one in weekly["on"]["schedule"]] == ["17 4 * * 1"]
    assert "profile" not in at_each_change


def test_nothing_is_published_before_the_tests_have_passed(root: Path) -> None:
    jobs = _workflow(root, "release")["jobs"]

    publishing = {name: job["needs"] for name, job in jobs.items() if "environment" in job}
    assert publishing == {name: ["test", "build"] for name in ("pypi", "npm", "site")}
    assert jobs["test"]["uses"] == "./.github/workflows/test.yml"


def test_only_a_publishing_job_can_ask_for_an_identity(root: Path) -> None:
    jobs = _workflow(root, "release")["jobs"]

    may = [name for name, job in jobs.items() if job["permissions"].get("id-token") == "write"]
    assert may == [name for name, job in jobs.items() if "environment" in job]


@pytest.mark.parametrize(("tag", "is_taken"), [("v{}", True), ("{}", False), ("v{}.post1", False)])
def test_a_release_refuses_a_tag_that_is_not_this_version(
    tag: str, *, is_taken: bool, root: Path
) -> None:
    (step,) = [one for one in _steps(_workflow(root, "release")) if "Refuse a tag" in str(one)]

    variables = {**os.environ, "GITHUB_REF_NAME": tag.format(project_version())}
    done = _run(step, root, variables)

    assert (done == 0) is is_taken


@pytest.mark.slow
def test_a_release_publishes_a_package_that_names_its_repository(
    root: Path, dist: Path, tmp_path: Path
) -> None:
    shutil.copytree(dist / "npm", tmp_path / "dist" / "npm")
    variables = {
        **os.environ,
        "GITHUB_SERVER_URL": "https://github.com",
        "GITHUB_REPOSITORY": "someone/treeglass",
    }
    build = _workflow(root, "release")["jobs"]["build"]["steps"]

    for step in build:
        if "npm p" in step.get("run", ""):
            folder = tmp_path / step.get("working-directory", ".")
            assert _run(step, folder, variables) == 0

    (packed,) = (tmp_path / "dist" / "packed").iterdir()
    with tarfile.open(packed) as tarball:
        manifest = tarball.extractfile("package/package.json")
        assert manifest is not None
        told = json.load(manifest)
    (publish,) = [
        one for one in _steps(_workflow(root, "release")) if "npm publish" in one.get("run", "")
    ]
    packed.parent.rename(tmp_path / "packed")
    assert _run({"run": f"{publish['run']} --dry-run"}, tmp_path, variables) == 0
    published = json.loads((dist / "npm" / "package.json").read_text("utf-8"))
    address = "git+https://github.com/someone/treeglass.git"
    assert told == {**published, "repository": {"type": "git", "url": address}}


def _run(step: dict[str, Any], folder: Path, variables: dict[str, str]) -> int:
    # As GitHub runs a step on Linux.
    bash = ("bash", "-e", "-o", "pipefail", "-c", step["run"])
    return subprocess.run(bash, cwd=folder, env=variables, check=False).returncode
