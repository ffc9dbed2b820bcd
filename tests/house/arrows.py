#!/usr/bin/env python3
"""Compares the tables of rooms in docs/architecture.md and libcpl_lb/projection/README.md with every #include of
libcpl_lb: arrows.py REPOSITORY [FOLDER...]. Files in these folders may lack the comment that the others open with.

Fails for an include that the table does not allow, an arrow that no file uses, a folder without a row, a cycle of
rooms, a room of the pure half that reaches MPI, netCDF or PAPI, and a file that does not open with a comment on what
it is for.
"""
import collections
import pathlib
import re
import sys

import checker

PAGE = "docs/architecture.md"
MORE = ["libcpl_lb/projection/README.md"]  # the same for parts of their own
LIBRARIES = {"mpi.h": "MPI", "netcdf.h": "netCDF", "papi.h": "PAPI", "CLI/": "CLI11", "Eigen/": "Eigen", "fmt/": "fmt",
             "nlohmann/": "nlohmann", "otf2/": "OTF2", "tao/": "PEGTL", "toml++/": "toml++"}
NOT_PURE = {"MPI", "netCDF", "PAPI"}
SOURCES = {".hpp", ".cpp", ".in"}

Room = collections.namedtuple("Room", "name folders where rooms libraries")


def in_backticks(cell):
    return re.findall(r"`([^`]+)`", cell)


def bare(folder):
    return folder.removeprefix("libcpl_lb/")


def read_table(page, shown=PAGE):
    """The rows between "| room |" and the next line that is none; and the rooms of the pure half."""
    rooms, pure = {}, []
    inside = False
    text = page.read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("| room |"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("| ---"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            folders = [bare(folder) for folder in in_backticks(cells[0])]
            libraries = {name.strip() for name in cells[3].split(",") if name.strip()}
            rooms[folders[0]] = Room(folders[0], folders, f"{shown}:{number}", in_backticks(cells[2]), libraries)
    said = re.search(r"\*\*The pure half\*\*(.*?)\n\n", text + "\n\n", re.S)
    if said:
        pure = [bare(name) for name in in_backticks(said[1].split(":")[0])]
    return rooms, pure


def room_of(folder, rooms):
    for room in rooms.values():
        for pattern in room.folders:
            if folder == pattern or (pattern.endswith("/*") and folder.startswith(pattern[:-1])):
                return room.name
    return None


def sources(root):
    for path in sorted((root / "libcpl_lb").rglob("*")):
        if path.suffix in SOURCES and path.is_file():
            yield path


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if found:
            yield number, found[2]


def target_of(name, path, root, rooms):
    """("room", name), ("library", name) or None for what the table leaves out: the system's headers, version.h."""
    if name == "cpl_lb/version.h":
        return None
    if name.startswith("cpl_lb/"):
        return "room", "include/cpl_lb"
    for start, library in LIBRARIES.items():
        if name == start or (start.endswith("/") and name.startswith(start)):
            return "library", library
    if (root / "libcpl_lb" / name).is_file():
        return "room", room_of(str(pathlib.PurePosixPath(name).parent), rooms)
    return None


def check_includes(root, rooms):
    used = collections.defaultdict(set)
    for path in sources(root):
        shown = path.relative_to(root)
        folder = str(path.parent.relative_to(root / "libcpl_lb").as_posix())
        room = room_of(folder, rooms)
        if room is None:
            yield f"{shown}: the folder libcpl_lb/{folder} has no row in {PAGE}"
            continue
        for number, name in includes(path):
            target = target_of(name, path, root, rooms)
            if target is None or target[1] in (None, room):
                continue
            used[room].add(target)
            allowed = rooms[room].rooms if target[0] == "room" else rooms[room].libraries
            if target[1] not in allowed:
                yield f"{shown}:{number}: {room} -> {target[1]} is not in the table of {PAGE} (includes {name})"
    for room in rooms.values():
        if room.name == "include/cpl_lb":
            continue
        if not any(room_of(str(p.parent.relative_to(root / "libcpl_lb").as_posix()), rooms) == room.name
                   for p in sources(root)):
            yield f"{room.where}: there is no file in the room {room.name}"
        said = {("room", name) for name in room.rooms} | {("library", name) for name in room.libraries}
        for _, name in sorted(said - used[room.name]):
            yield f"{room.where}: no file uses the arrow {room.name} -> {name}"


def reached(room, rooms):
    """Rooms and libraries that an include of `room` may bring in, with one way to each."""
    ways = {}
    ahead = [(room, [room])]
    while ahead:
        name, way = ahead.pop()
        if name not in rooms:
            continue
        for library in sorted(rooms[name].libraries):
            ways.setdefault(library, way + [library])
        for after in rooms[name].rooms:
            if after not in ways:
                ways[after] = way + [after]
                ahead.append((after, ways[after]))
    return ways


def check_table(rooms, pure):
    if not pure:
        yield f"{PAGE}: no paragraph begins with **The pure half**"
    for room in rooms.values():
        for name in room.rooms:
            if name not in rooms:
                yield f"{room.where}: {room.name} -> {name}: there is no row {name}"
        way = reached(room.name, rooms).get(room.name)
        if way:
            yield f"{room.where}: a cycle of rooms: {' -> '.join(way)}"
    for name in pure:
        if name not in rooms:
            yield f"{PAGE}: the pure half names {name}, which has no row"
            continue
        ways = reached(name, rooms)
        for library in sorted(NOT_PURE & ways.keys()):
            yield f"{rooms[name].where}: a room of the pure half: {' -> '.join(ways[library])}"


def check_openings(root, without=()):
    for path in sources(root):
        if path.relative_to(root / "libcpl_lb").as_posix().startswith(tuple(without)):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        if not lines or not re.match(r"// \S.*\w", lines[0]):
            yield f"{path.relative_to(root)}:1: the file does not open with a comment on what it is for"


def problems(root, without=()):
    rooms, pure = read_table(root / PAGE)
    for page in MORE:
        if (root / page).exists():
            rooms.update(read_table(root / page, page)[0])
    if not rooms:
        return [f"{PAGE}: no table with the heading '| room |'"]
    return [*check_includes(root, rooms), *check_table(rooms, pure), *check_openings(root, without)]


def main():
    return checker.report(problems(pathlib.Path(sys.argv[1]), sys.argv[2:]), "rooms, arrows and opening lines agree")


if __name__ == "__main__":
    sys.exit(main())
