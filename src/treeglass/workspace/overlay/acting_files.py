"""Files that do something without being opened, once they are in a person's folder."""

from __future__ import annotations

from fnmatch import fnmatchcase

_ANY_EXECUTE = 0o111

_PATTERNS_BY_REASON = {
    "it is part of Git's own data": (".git", ".git/*"),
    "it runs in continuous integration": (
        *(".github/workflows/*", ".github/actions/*", ".gitlab-ci.y*ml", ".gitlab/ci/*"),
        *(".circleci/*", ".buildkite/*", ".travis.yml", ".drone.yml", ".woodpecker*"),
        *(".forgejo/*", ".gitea/*", "azure-pipelines*.y*ml", "bitbucket-pipelines.yml"),
        *("appveyor.yml", ".appveyor.yml", "jenkinsfile*", "cloudbuild.y*ml"),
    ),
    "it runs as a hook of Git": (
        *(".husky/*", ".githooks/*", "githooks/*"),
        *(".pre-commit-config.y*ml", "lefthook.y*ml", ".lefthook.y*ml"),
    ),
    "it runs when the project is installed, built or tested": (
        *("package.json", "deno.json*", "pyproject.toml", "setup.py", "setup.cfg", "*.pth"),
        *("sitecustomize.py", "usercustomize.py", "conftest.py", "noxfile.py", "tox.ini"),
        *("makefile", "gnumakefile", "*.mk", "cmakelists.txt", "justfile", "taskfile.y*ml"),
        *("cargo.toml", "build.rs", "rakefile", "gemfile", "*.gemspec", "composer.json"),
        *("pom.xml", "build.gradle*", "settings.gradle*", "gradlew*", "mvnw*"),
        *("dockerfile*", "*.dockerfile", "docker-compose*.y*ml", "compose*.y*ml"),
    ),
    "it decides which packages are installed": (
        *("*.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "bun.lockb"),
        *("go.mod", "go.sum", "pipfile", "requirements*.txt"),
    ),
    "it sets up a shell or an editor": (
        *(".bash*", ".zsh*", ".profile", ".envrc", ".inputrc", "*.code-workspace"),
        *(".editorconfig", ".vimrc", ".nvimrc", ".exrc", ".emacs*", ".dir-locals.el"),
        *(".vscode/*", ".idea/*", ".devcontainer/*", ".fleet/*", ".zed/*", ".vs/*"),
    ),
}
"""In small letters: names, and paths below any directory if there is a slash."""


def why_it_acts(path: str, mode: int) -> str | None:
    """Return why a file acts by itself, in words; None if nothing says that it does.

    Capital letters do not matter, as on many disks. The mode is the low nine bits.
    """
    folded = "/" + path.casefold().lstrip("/")
    name = folded.rpartition("/")[2]
    reasons = [
        reason
        for reason, patterns in _PATTERNS_BY_REASON.items()
        if any(
            fnmatchcase(folded, f"*/{pattern}") if "/" in pattern else fnmatchcase(name, pattern)
            for pattern in patterns
        )
    ]
    if not reasons and "/." in folded:
        reasons.append("it is hidden")
    if mode & _ANY_EXECUTE:
        reasons.append("it may be executed")
    return "; ".join(reasons) or None
