"""Before a commit: format, lints, types, domain and unit tests of what differs from `main`, or from the last commit where that is `main`."""

import pathlib
import subprocess
import sys
import time
import tomllib

from stack import ROOT

# Concern every crate.
OF_ALL_CRATES = {"Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "rustfmt.toml"}
CONTRACT = "functions/api/openapi.json"
FIXTURES = "functions/domain/fixtures/"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()


def crates(changed: set[str]) -> list[str]:
    """Names of the crates that these files belong to."""
    folders = {pathlib.Path(path).parts[1] for path in changed if path.startswith("functions/")}
    if changed & OF_ALL_CRATES:
        folders = {manifest.parent.name for manifest in ROOT.glob("functions/*/Cargo.toml")}
    manifests = (ROOT / "functions" / folder / "Cargo.toml" for folder in sorted(folders))
    return [tomllib.loads(manifest.read_text())["package"]["name"] for manifest in manifests if manifest.exists()]


def commands(changed: set[str], base: str) -> list[list[str]]:
    """What is to be run for them, the quickest first."""
    found = crates(changed)
    is_web = any(path.startswith("web/") or path in ("package.json", "package-lock.json", CONTRACT) for path in changed)
    # Its tests hold the documents, too, and the workflows.
    is_infra = any(path.startswith(("infra/", ".github/")) or path.endswith(".md") or path == "sst.config.ts" for path in changed)
    # Both sides are tested with the fixtures, which no module imports.
    fixtures = any(path.startswith(FIXTURES) for path in changed)
    run: list[list[str]] = [["scripts/commands", "--check"]]
    if found:
        run.append(["cargo", "fmt", "--all", "--check"])
    if is_web:
        run.append(["npm", "run", "--silent", "lint", "--workspace", "web"])
        run.append(["npm", "run", "--silent", "typecheck", "--workspace", "web"])
    if CONTRACT in changed:
        run.append(["npm", "run", "--silent", "api-types", "--", "--check"])
    if is_infra:
        run.append(["npm", "run", "--silent", "lint", "--workspace", "infra"])
        run.append(["npm", "run", "--silent", "test", "--workspace", "infra"])
    if "domain" in found:
        run.append(["cargo", "test", "--package", "domain"])
    if found:
        # Of the whole workspace: for some crates alone cargo chooses other features, and compiles what they stand on once more.
        run.append(["cargo", "clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])
        if found != ["domain"]:
            run.append(["cargo", "test", "--workspace", "--lib", "--exclude", "domain"])
    if is_web:
        run.append(["npm", "run", "--silent", "test", "--workspace", "web", "--", "--changed", base])
    if fixtures:
        run.append(["npm", "run", "--silent", "test", "--workspace", "web", "--", "--project", "shared"])
    return run


def main() -> int:
    base = git("merge-base", "HEAD", "main") or git("merge-base", "HEAD", "origin/main") or "HEAD"
    changed = {*git("diff", "--name-only", base).splitlines(), *git("ls-files", "--others", "--exclude-standard").splitlines()}
    print(f"{len(changed)} files differ from {base[:9]}")
    for command in commands(changed, base):
        print(f"== {' '.join(command)}", flush=True)
        started = time.monotonic()
        if status := subprocess.run(command, cwd=ROOT, check=False).returncode:
            print(f"== failed: {' '.join(command)}")
            return status
        print(f"== {time.monotonic() - started:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
