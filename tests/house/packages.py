#!/usr/bin/env python3
"""Each file that `cmake --install` leaves is in one Debian package, or packaging/debian/not-installed says why not:
packages.py SOURCES PREFIX MPI. PREFIX: where cpl_lb was installed for MPI. Each line of the lists must name a file, too."""
import fnmatch
import pathlib
import sys

# What packaging/debian/rules renames.
RENAMED = {"usr/bin/cpl-lb-pingpong": "usr/bin/cpl-lb-pingpong.{mpi}",
           "usr/share/man/man1/cpl-lb-pingpong.1": "usr/share/man/man1/cpl-lb-pingpong.{mpi}.1",
           "usr/share/zsh/site-functions/_cpl-lb": "usr/share/zsh/vendor-completions/_cpl-lb"}
MPIS = ("openmpi", "mpich")


def debian_path(path, mpi):
    """Where Debian's packages have what lies at this path under the prefix: libraries in the folder of the processor."""
    parts = ("usr",) + pathlib.PurePosixPath(path).parts
    if parts[1] == "lib" and parts[2] != "python3" and not parts[2].endswith("-linux-gnu"):
        parts = parts[:2] + ("any-linux-gnu",) + parts[2:]
    if parts[1:3] == ("share", "doc"):
        parts = parts[:3] + ("cpl-lb-doc",) + parts[4:]
    name = "/".join(parts)
    return RENAMED.get(name, name).format(mpi=mpi)


def holds(pattern, path):
    """Whether a line of a list has this path: the file itself, or a folder above it. A star ends at a slash."""
    wanted, parts = pattern.split("/"), path.split("/")
    return len(wanted) <= len(parts) and all(fnmatch.fnmatchcase(part, want) for part, want in zip(parts, wanted))


def lists(folder, mpi):
    """Name of a list -> its lines; those of other MPIs left out."""
    others = [other for other in MPIS if other != mpi]
    for file in sorted(folder.glob("*.install")) + [folder / "not-installed"]:
        if not any(other in file.name for other in others):
            lines = [line for line in file.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
            yield file.name, lines


def problems(sources, prefix, mpi):
    """One line for each file that is in no package or in two, and for each line of a list that names nothing."""
    prefix = pathlib.Path(prefix)
    installed = sorted(debian_path(path.relative_to(prefix).as_posix(), mpi)
                       for path in prefix.rglob("*") if not path.is_dir() or path.is_symlink())
    found = dict(lists(pathlib.Path(sources) / "packaging/debian", mpi))
    for path in installed:
        having = [name for name, lines in found.items() if any(holds(line, path) for line in lines)]
        if not having:
            yield f"{path} is in no list of packaging/debian"
        elif len(having) > 1:
            yield f"{path} is in {' and '.join(having)}"
    for name, lines in found.items():
        for line in lines:
            if not any(holds(line, path) for path in installed):
                yield f"{name}: {line} names nothing that is installed"


if __name__ == "__main__":
    told = list(problems(*sys.argv[1:4]))
    print("\n".join(told))
    sys.exit(1 if told else 0)
