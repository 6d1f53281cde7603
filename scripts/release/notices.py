#!/usr/bin/env python3
"""Prints the licence notices of all that a release archive contains: the crates of the binary, what they bundle, Rust, Z3.

Usage: scripts/release/notices.py [Z3-VERSION]   (in a checkout whose dependencies are fetched)
A crate whose licence can't be told makes it fail: somebody has to look.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = re.compile(r"^(un)?(licen[cs]e|copying|copyright|notice)([-_.].*)?$", re.IGNORECASE)
# Bundled sources that are not what is linked.
NOT_LINKED = re.compile(r"/(tests?|examples?|docs?|fuzz|benches|ci|script)/")


def mit(copyright):
    """The MIT licence, for those who name it and give no text."""
    terms = (ROOT / "LICENSE-MIT").read_text().split("Permission is hereby granted", 1)[1]
    return f"MIT License\n\n{copyright}\n\nPermission is hereby granted{terms}"


def linked():
    """The packages that are linked into the binary on this machine, but our own."""
    host = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)[1]
    data = json.loads(run("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", host))
    packages = {p["id"]: p for p in data["packages"]}
    nodes = {n["id"]: n for n in data["resolve"]["nodes"]}
    root = data["resolve"]["root"]
    found, todo = {root}, [root]
    while todo:
        for dependency in nodes[todo.pop()]["deps"]:
            package = dependency["pkg"]
            is_linked = any(k["kind"] is None for k in dependency["dep_kinds"])
            is_macro = any("proc-macro" in t["kind"] for t in packages[package]["targets"])
            if is_linked and not is_macro and package not in found:
                found.add(package)
                todo.append(package)
    return sorted((packages[i] for i in found - {root}), key=lambda p: (p["name"], p["version"]))


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def texts(package):
    """The licence texts of a package and of the sources in it."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [f for f in sorted(folder.rglob("*")) if NAMES.match(f.name) and f.is_file()]
    files = [f for f in files if not NOT_LINKED.search(f"/{f.relative_to(folder)}")]
    found = [f.read_text(errors="replace").strip() for f in files if f.suffix not in (".rs", ".c", ".h", ".py")]
    if not found and "MIT" in (package["license"] or ""):
        found = [mit("Copyright (c) " + ", ".join(package["authors"] or [f"the authors of {package['name']}"]))]
    if not found:
        sys.exit(f"notices: {package['name']} {package['version']} ({package['license']}) has no licence text")
    return found


def main():
    z3 = sys.argv[1] if len(sys.argv) > 1 else ""
    parts = [(f"Z3 {z3}".strip() + " (MIT)", [mit("Z3\nCopyright (c) Microsoft Corporation\nAll rights reserved.")])]
    # Its Apache licence is in the archive as our own.
    parts.append(("the Rust standard library (MIT OR Apache-2.0)", [mit("Copyright (c) The Rust Project contributors")]))
    parts += [(f"{p['name']} {p['version']} ({p['license']})", texts(p)) for p in linked()]
    users = {}
    for name, found in parts:
        for text in dict.fromkeys(found):
            users.setdefault(text, []).append(name)
    print("shadow-ci contains these works of others, under the licences that follow:\n")
    for name, _ in parts:
        print(f"  {name}")
    for text, names in users.items():
        print("\n" + "=" * 100)
        print("\n".join(names) + "\n")
        print(text)


main()
