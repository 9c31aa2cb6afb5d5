"""Compile the pure modules with mypyc: `make compile`.

Which modules: `[tool.magnate.mypyc]` in pyproject.toml, globs below services/ and exclusions. They are
compiled as one group, because compiled modules that use each other's classes must agree on their layout. The
result goes to `build/compiled/<hash>/`, then the stamp `build/compiled/current.json` is replaced in one step;
the package itself decides at import whether the stamp still fits its sources (`magnate/compiled.py`).

No compiler is no error: the same source runs interpreted.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SERVICES = ROOT / "services"
sys.path.insert(0, str(SERVICES))

from magnate.compiled import STAMP, directory, sources_hash  # noqa: E402 - needs the path above


def chosen_sources() -> list[str]:
    """Return the paths below services/ that pyproject.toml names for compiling."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        settings = tomllib.load(file)["tool"]["magnate"]["mypyc"]
    found = {
        path.relative_to(SERVICES).as_posix() for glob in settings["modules"] for path in SERVICES.glob(glob)
    }
    return sorted(name for name in found if not any(fnmatch(name, glob) for glob in settings["exclude"]))


def missing_tool() -> str:
    """Return what stands in the way of compiling, empty when nothing does."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    if shutil.which(compiler) is None:
        return f"no C compiler ({compiler}) on PATH"
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        return "Python's C headers (Python.h) are not installed"
    return ""


def build(names: list[str], target: Path) -> None:
    """Compile `names` into `target`; runs in a process of its own with services/ as its directory."""
    from mypyc.build import mypycify  # noqa: PLC0415 - only the child process needs it
    from setuptools import Distribution  # noqa: PLC0415 - same

    class SideBySide(Distribution().get_command_class("build_ext")):  # type: ignore[misc]  # known at run time
        """Compiles the C files of an extension on all cores; one after another they take a minute more."""

        def build_extensions(self) -> None:
            one_after_another = self.compiler.compile

            def side_by_side(sources: list[str], **options: Any) -> list[str]:
                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    objects = pool.map(lambda one: one_after_another([one], **options), sources)
                    return [name for names in objects for name in names]

            self.compiler.compile = side_by_side
            super().build_extensions()

    flags = ["--config-file=", "--strict", "--namespace-packages", "--explicit-package-bases"]
    flags += [
        "--follow-imports=silent",
        "--python-version=3.11",
        f"--cache-dir={target.parent / 'mypy-cache'}",
    ]
    extensions = mypycify(
        [*flags, *names], opt_level="3", debug_level="0", target_dir=str(target / "c"), multi_file=True
    )
    command = SideBySide(Distribution({"name": "magnate-compiled", "ext_modules": extensions}))
    command.build_lib, command.build_temp = str(target / "lib"), str(target / "o")
    command.ensure_finalized()
    command.run()


def extension_modules(library: Path) -> dict[str, Path]:
    """Return the extension modules below `library` by their dotted names."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return {
        path.relative_to(library).as_posix().removesuffix(suffix).replace("/", "."): path
        for path in sorted(library.rglob(f"*{suffix}"))
    }


def publish(scratch: Path, names: list[str], fresh: str) -> int:
    """Move what was built to its place, switch the stamp over, drop older builds; return the module count."""
    out = directory()
    final = out / fresh[:16]
    modules = extension_modules(scratch / "lib")
    shutil.rmtree(final, ignore_errors=True)
    (scratch / "lib").rename(final)
    stamp = {
        "sources_hash": fresh,
        "suffix": sysconfig.get_config_var("EXT_SUFFIX"),
        "sources": names,
        "modules": {
            name: f"{fresh[:16]}/{path.relative_to(scratch / 'lib')}" for name, path in modules.items()
        },
    }
    draft = out / f"{STAMP}.new"
    draft.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    draft.replace(out / STAMP)
    shutil.rmtree(scratch, ignore_errors=True)
    for old in out.iterdir():
        if old.is_dir() and old not in (final, out / "mypy-cache"):
            shutil.rmtree(old, ignore_errors=True)
    return len(names)


def is_current(names: list[str], fresh: str) -> bool:
    """Say whether the stamp already describes these sources and all its files are there."""
    try:
        stamp = json.loads((directory() / STAMP).read_text(encoding="utf-8"))
        same = (stamp["sources"], stamp["sources_hash"]) == (names, fresh)
        same = same and stamp["suffix"] == sysconfig.get_config_var("EXT_SUFFIX")
        return same and all((directory() / file).is_file() for file in stamp["modules"].values())
    except (OSError, ValueError, KeyError):
        return False


def compile_all(*, lenient: bool) -> int:
    """Bring `build/compiled/` up to date; return the exit code."""
    names = chosen_sources()
    obstacle = missing_tool()
    if obstacle or not names:
        print(f"compile: skipped, {obstacle or 'nothing to compile'}; the rules run interpreted")
        return 0
    out = directory()
    out.mkdir(parents=True, exist_ok=True)
    with (out / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        fresh = sources_hash(names)
        if is_current(names, fresh):
            print(f"compile: {len(names)} modules are current")
            return 0
        print(f"compile: {len(names)} modules with mypyc, a minute or so …", flush=True)
        scratch, log = out / "scratch", out / "compile.log"
        shutil.rmtree(scratch, ignore_errors=True)
        command = [sys.executable, str(Path(__file__).resolve()), "--build", str(scratch), *names]
        with log.open("w", encoding="utf-8") as sink:
            environment = {**os.environ, "MAGNATE_PURE": "1", "MYPYPATH": str(SERVICES)}
            done = subprocess.run(  # noqa: S603 - our own file
                command, cwd=SERVICES, env=environment, stdout=sink, stderr=subprocess.STDOUT, check=False
            )
        if done.returncode != 0 or sources_hash(names) != fresh:
            tail = "\n".join(log.read_text(encoding="utf-8").splitlines()[-15:])
            why = "sources changed meanwhile" if done.returncode == 0 else f"failed:\n{tail}"
            print(f"compile: {why}\nThe rules run interpreted; the whole log is {log}", file=sys.stderr)
            return 0 if lenient else 1
        print(f"compile: {publish(scratch, names, fresh)} modules compiled")
        return 0


def main() -> int:
    """Parse the command line; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lenient", action="store_true", help="a failing build is no error")
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.build:
        build(arguments.names, arguments.build)
        return 0
    return compile_all(lenient=arguments.lenient)


if __name__ == "__main__":
    sys.exit(main())
