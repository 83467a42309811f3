"""Which language a file of source is written in, by its name, its label or its first line."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

_BY_SUFFIX = """
ada=ada adb=ada ads=ada asm=asm awk=awk bash=sh bat=batch bib=bibtex c=c cc=cpp cfg=ini clj=clojure
cmake=cmake conf=ini cpp=cpp cs=csharp css=css cu=cuda cxx=cpp dart=dart desktop=ini diff=diff
dockerfile=dockerfile dtd=dtd el=lisp elm=elm erl=erlang ex=elixir exs=elixir f=fortran f90=fortran
fish=fish fs=fsharp glsl=glsl go=go gradle=groovy graphql=graphql groovy=groovy h=c hcl=hcl hh=cpp
hpp=cpp hs=haskell hxx=cpp ini=ini java=java jl=julia js=javascript json5=json jsonc=json jsonl=json
jsx=jsx kt=kotlin kts=kotlin less=less lisp=lisp lua=lua m=objective-c mak=makefile mjs=javascript
cjs=javascript mk=makefile ml=ocaml mli=ocaml mm=objective-c mts=typescript cts=typescript
ndjson=json nim=nim nix=nix pas=pascal patch=diff php=php pl=perl pm=perl pro=prolog
properties=properties proto=protobuf ps1=powershell py=python pyi=python pyx=cython r=r rake=ruby
rb=ruby rkt=racket rs=rust s=asm scala=scala scm=scheme scss=scss sh=sh sol=solidity sql=sql
sv=verilog svelte=svelte svg=xml swift=swift t=perl tcl=tcl tf=hcl toml=toml ts=typescript tsx=tsx
v=verilog vb=vb vhd=vhdl vim=vim vue=vue wasm=wasm wgsl=wgsl xml=xml xsd=xml xsl=xml xslt=xml
yaml=yaml yml=yaml zig=zig zsh=sh
"""
LANGUAGES = dict(entry.split("=") for entry in _BY_SUFFIX.split())
"""Suffix without its dot to the language of a code fence."""

_BY_NAME = {
    "makefile": "makefile", "gnumakefile": "makefile", "dockerfile": "dockerfile",
    "containerfile": "dockerfile", "cmakelists.txt": "cmake", "rakefile": "ruby", "gemfile": "ruby",
    "jenkinsfile": "groovy", "meson.build": "meson", "build.bazel": "python", "go.mod": "go",
}  # fmt: skip
_BY_LABEL = {
    "javascript": "javascript", "ecmascript": "javascript", "typescript": "typescript",
    "csrc": "c", "chdr": "c", "c++": "cpp", "c++src": "cpp", "c++hdr": "cpp", "csharp": "csharp",
    "sh": "sh", "shellscript": "sh", "script.python": "python", "script.perl": "perl",
    "httpd-php": "php", "patch": "diff", "java-source": "java", "rustsrc": "rust", "gosrc": "go",
    "sql": "sql", "toml": "toml", "yaml": "yaml", "diff": "diff", "css": "css", "xml": "xml",
    "python": "python", "perl": "perl", "ruby": "ruby", "java": "java", "rust": "rust", "go": "go",
    "c": "c", "lua": "lua", "haskell": "haskell", "scala": "scala", "kotlin": "kotlin",
    "swift": "swift", "makefile": "makefile", "php": "php", "graphql": "graphql",
    "powershell": "powershell", "ini": "ini", "dockerfile": "dockerfile",
}  # fmt: skip
"""Subtype of a media type, without its `x-`, to the language."""

_SHEBANG = re.compile(r"#![^\n]*?(?:/|\benv\s+(?:-\S+\s+)*)(\w+?)[\d.]*(?:\s|$)")
_INTERPRETERS = {"bash": "sh", "dash": "sh", "zsh": "sh", "ksh": "sh", "node": "javascript"}
_LABELLED = frozenset({"text", "application"})


def file_name(url: str) -> str:
    """The last part of the path of a URL, lower case. Sphinx serves its sources as `x.rst.txt`."""
    name = unquote(PurePosixPath(urlsplit(url).path).name).lower()
    stem = name.removesuffix(".txt")
    return stem if "." in stem and name not in _BY_NAME else name


def suffix(url: str) -> str:
    """The suffix of the file a URL names, lower case, without its dot; empty for none."""
    return PurePosixPath(file_name(url)).suffix.removeprefix(".")


def language_by_name(url: str) -> str:
    """The language that the file's name tells; empty for none."""
    return _BY_NAME.get(file_name(url)) or LANGUAGES.get(suffix(url), "")


def language_by_label(media: str) -> str:
    """The language that a media type names; empty for none."""
    kind, _, subtype = media.partition("/")
    bare = subtype.removeprefix("x-").removeprefix("vnd.")
    if kind in _LABELLED and (language := _BY_LABEL.get(bare)):
        return language
    return "xml" if subtype.endswith("+xml") else ""


def language_of(text: str, media: str, url: str) -> str:
    """The language of a source: its file's name says it best, then its label, its first line."""
    if language := language_by_name(url) or language_by_label(media):
        return language
    if text.lstrip().startswith("<?xml"):
        return "xml"
    found = _SHEBANG.match(text[:200])
    return _INTERPRETERS.get(found[1], found[1]) if found else ""
