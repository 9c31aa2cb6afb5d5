"""Generate the Python code that the protos stand for: `make proto`, or `make proto-check` to compare only.

Everything is generated into a fresh directory first and then compared with what is committed, so a run
changes only files whose content changed and removes what no proto stands for any more. A proto that does
not compile is reported by name; the other packages are generated all the same.

    python protos/generate.py            write services/magnate/<package>/v1/ and the vocabulary
    python protos/generate.py --check    write nothing; exit 1 and name each file that is not current
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

sys.path.insert(0, str(Path(__file__).resolve().parent))

import vocabulary
import vocabulary_codec

PROTOS = Path(__file__).resolve().parent
ROOT = PROTOS.parent
SERVICES = ROOT / "services"
VOCABULARY = PROTOS / "magnate/rules/v1/vocabulary.proto"
VOCABULARY_OUTPUTS = (
    "magnate/rules/vocabulary.py",
    "magnate/game/vocabulary_codec.py",
    "magnate/auction/vocabulary_codec.py",
)
GENERATED_SUFFIXES = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")


def include_flags() -> list[str]:
    """Return protoc's import path: our protos, the well-known types, the googleapis common protos."""
    tools = find_spec("grpc_tools")
    common = find_spec("google.rpc")
    if tools is None or tools.origin is None or common is None or not common.submodule_search_locations:
        sys.exit("protos: grpcio-tools and googleapis-common-protos are missing; run `make setup`")
    well_known = Path(tools.origin).parent / "_proto"
    googleapis = Path(next(iter(common.submodule_search_locations))).parents[1]
    return [f"-I{PROTOS}", f"-I{well_known}", f"-I{googleapis}"]


def protoc(arguments: list[str]) -> str:
    """Run protoc; return what it complained about, empty when all is well."""
    command = [sys.executable, "-m", "grpc_tools.protoc", *include_flags(), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return "" if done.returncode == 0 else (done.stderr.strip() or "protoc failed without a word")


def plugin_flags(out: Path) -> list[str]:
    """Return the flags that make protoc write messages, services and their types into `out`."""
    scripts = Path(sys.executable).parent
    return [
        f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
        f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
        f"--python_out={out}",
        f"--grpc_python_out={out}",
        f"--mypy_out=quiet:{out}",
        f"--mypy_grpc_out=quiet,only_async:{out}",
    ]


def describe(sources: list[Path], out: Path) -> FileDescriptorSet:
    """Return the descriptors of `sources` and of everything they import, with their comments."""
    complaint = protoc(
        ["--include_imports", "--include_source_info", f"--descriptor_set_out={out}", *map(str, sources)]
    )
    if complaint:
        sys.exit(f"protos: {complaint}")
    return FileDescriptorSet.FromString(out.read_bytes())


def generate_package(directory: Path, out: Path) -> str:
    """Generate one package; return protoc's complaint."""
    sources = sorted(directory.glob("*.proto"))
    complaint = protoc([*plugin_flags(out), *map(str, sources)])
    if complaint:
        return complaint
    package = directory.relative_to(PROTOS)
    for source in sources:
        if "\nservice " not in source.read_text(encoding="utf-8"):
            for suffix in ("_pb2_grpc.py", "_pb2_grpc.pyi"):
                (out / package / f"{source.stem}{suffix}").unlink(missing_ok=True)
    dotted = ".".join(package.parts)
    (out / package / "__init__.py").write_text(
        f'"""Generated from protos/{package}: the messages and services of `{dotted}`."""\n', encoding="utf-8"
    )
    return ""


def generate(out: Path) -> tuple[list[Path], list[str]]:
    """Generate everything into `out`; return the packages that came out whole and all complaints."""
    whole: list[Path] = []
    complaints: list[str] = []
    for directory in sorted({path.parent for path in PROTOS.glob("magnate/**/*.proto")}):
        complaint = generate_package(directory, out)
        if complaint:
            complaints.append(complaint)
        else:
            whole.append(directory.relative_to(PROTOS))
    if VOCABULARY.exists() and VOCABULARY.parent.relative_to(PROTOS) in whole:
        described = describe([VOCABULARY], out / "vocabulary.binpb")
        try:
            words = vocabulary.read(described, str(VOCABULARY.relative_to(PROTOS)))
            auctions = vocabulary_codec.only(words, ("AuctionEvent", "Ask"), ("AuctionOutcome",))
            codecs = (vocabulary_codec.codec(words), vocabulary_codec.codec(auctions))
            texts = (vocabulary.classes(words), *codecs)
        except vocabulary.VocabularyError as error:
            return whole, [*complaints, f"vocabulary.proto: {error}"]
        for name, text in zip(VOCABULARY_OUTPUTS, texts, strict=True):
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_text(text, encoding="utf-8")
    return whole, complaints


def compare(out: Path, packages: list[Path]) -> list[tuple[Path, bytes | None]]:
    """Return what has to change below `services/`: the path and its new bytes, or None where it must go."""
    changes: list[tuple[Path, bytes | None]] = []
    names = [path.relative_to(out) for package in packages for path in sorted((out / package).iterdir())]
    names += [Path(name) for name in VOCABULARY_OUTPUTS if (out / name).exists()]
    for name in names:
        target, fresh = SERVICES / name, (out / name).read_bytes()
        if not target.exists() or target.read_bytes() != fresh:
            changes.append((target, fresh))
    known = {SERVICES / name for name in names}
    proto_directories = {path.parent.relative_to(PROTOS) for path in PROTOS.glob("magnate/**/*.proto")}
    for path in sorted(SERVICES.glob("magnate/*/v1/*")):
        settled = path.parent.relative_to(SERVICES) not in proto_directories - set(packages)
        if path.name.endswith(GENERATED_SUFFIXES) and path not in known and settled:
            changes.append((path, None))
    return changes


def apply(changes: list[tuple[Path, bytes | None]]) -> None:
    """Bring `services/` to the generated state, and make every parent of a generated package a package."""
    for path, fresh in changes:
        if fresh is None:
            path.unlink()
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(fresh)
        owner = path.parent.parent / "__init__.py"
        if path.parent.name == "v1" and not owner.exists():
            owner.write_text(
                f'"""Holds the generated package `v1` of `{owner.parent.name}`."""\n', encoding="utf-8"
            )


def main() -> int:
    """Write or check; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 when something is stale")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory(prefix="magnate-protos-") as scratch:
        packages, complaints = generate(Path(scratch))
        changes = compare(Path(scratch), packages)
        if not check:
            apply(changes)
    for path, fresh in changes:
        verb = "is stale" if check else "written" if fresh is not None else "removed"
        print(f"protos: {path.relative_to(ROOT)} {verb}")
    for complaint in complaints:
        print(f"protos: {complaint}", file=sys.stderr)
    if check and changes:
        print("protos: generated code is not current; run `make proto` and commit", file=sys.stderr)
    return 1 if complaints or (check and changes) else 0


if __name__ == "__main__":
    sys.exit(main())
