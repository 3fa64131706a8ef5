"""Fails when a crate declares a dependency that its code never names.

`cargo machete` finds the same, but takes two minutes of a processor to compile, or 20 seconds at each run when it is compiled in a quarter of
that, and does not look at what only `[workspace.dependencies]` has.
"""

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).parent.parent
FOLDERS = ("src", "tests", "examples", "benches")


def unused(crate: pathlib.Path) -> list[str]:
    manifest = tomllib.loads((crate / "Cargo.toml").read_text())
    files = {file: file.read_text() for folder in FOLDERS for file in sorted((crate / folder).rglob("*.rs"))}
    # What a test shares with another crate's tests is compiled with this crate's dependencies.
    shared = [(file.parent / path).read_text() for file, text in files.items() for path in re.findall(r'#\[path = "(.+?)"\]', text)]
    code = "\n".join([*files.values(), *shared])
    sections = (manifest.get(section, {}) for section in ("dependencies", "dev-dependencies"))
    names = sorted({name.replace("-", "_") for section in sections for name in section})
    # The library of `dynoxide-rs` is called `dynoxide`, as is usual for names that end so; that of `encoding_rs` is not.
    return [name for name in names if not re.search(rf"\b{name.removesuffix('_rs')}(_rs)?(::|;| as )", code)]


def main() -> int:
    found = [(crate.name, unused(crate)) for crate in sorted(ROOT.glob("functions/*")) if (crate / "Cargo.toml").exists()]
    for crate, names in found:
        for name in names:
            print(f"functions/{crate}/Cargo.toml: {name} is not used")
    declared = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["dependencies"]
    manifests = "\n".join(file.read_text() for file in ROOT.glob("functions/*/Cargo.toml"))
    orphans = [name for name in declared if not re.search(rf"^{re.escape(name)}\b", manifests, re.MULTILINE)]
    for name in orphans:
        print(f"Cargo.toml: no crate uses {name}")
    return 1 if orphans or any(names for _, names in found) else 0


if __name__ == "__main__":
    sys.exit(main())
