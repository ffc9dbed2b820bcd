#!/usr/bin/env python3
"""Puts the sources of tests and examples together into units for clang-tidy: lint_units.py BUILD_FOLDER UNITS_FOLDER

A test takes clang-tidy some 18 s alone, nearly all for headers that the others include, too. A unit includes the headers
of its sources first, and then each source inside a namespace of its own, so that helpers of one name do not meet.
UNITS_FOLDER gets the units and their compile_commands.json; what cannot lie in a namespace comes as it is. Prints the
files for clang-tidy, a line each; exit status 1 names sources that nothing compiles."""
import json
import pathlib
import re
import shlex
import subprocess
import sys

most_sources = 36  # clang-tidy's memory grows with them: some 2 GiB

# Defined for the whole program, or for headers that come after.
stays_alone = re.compile(r'^(extern "C"(?! int LLVMFuzzerTestOneInput)|void \*?operator|#define |(extern )?template (class|struct))',
                         re.MULTILINE)
# What every program of a kind defines for another one: renamed where several are one unit.
one_for_all = 'LLVMFuzzerTestOneInput'
# Such sources of a folder are one unit as they are: the namespace is that of their headers.
in_named_namespace = re.compile(r'^namespace [a-z0-9_:]+ {', re.MULTILINE)
include_line = re.compile(r'^#include ([<"])([^>"]+)[>"]', re.MULTILINE)


def compiled(build):
    """(source, folder, arguments without the file and its output) of each compilation"""
    for entry in json.loads((build / 'compile_commands.json').read_text()):
        arguments = shlex.split(entry['command'])
        if arguments[0].endswith('compile_with.sh'):
            arguments = arguments[3:]
        if arguments[0].endswith('ccache'):
            arguments = arguments[1:]
        output = arguments.index('-o')
        arguments = arguments[:output] + arguments[output + 2:]
        arguments = [a for a in arguments if a not in ('-c', entry['file']) and not a.startswith('-fmax-errors')]
        for source in sources_of(entry['file']):
            yield source, entry['directory'], without_precompiled(arguments)


def sources_of(file):
    """of a unit that CMake made, its files"""
    if '/Unity/' not in file:
        return [file]
    return re.findall(r'^#include "(.+)"$', pathlib.Path(file).read_text(), re.MULTILINE)


def adapters_of(build, root):
    """Several tests compile each adapter: once for the linker and once for preloading is enough."""
    ways = {}
    for source, folder, arguments in compiled(build):
        if source.startswith(f'{root}/libcpl_lb/adapters/') and source.endswith('.cpp'):
            ways.setdefault((source, '-DCPL_LB_ADAPTER_PRELOAD' in arguments), (folder, arguments))
    return [(source, *command) for (source, _), command in ways.items()]


def without_precompiled(arguments):
    kept, skip = [], False
    for i, argument in enumerate(arguments):
        if skip:
            skip = False
        elif argument == '-include' and 'cmake_pch' in arguments[i + 1]:
            skip = True
        elif argument != '-Winvalid-pch':
            kept.append(argument)
    return kept


def macros(arguments):
    return dict((a[2:].partition('=')[::2]) for a in arguments if a.startswith('-D'))


class Unit:
    def __init__(self, folder, arguments, together=None):
        self.folder, self.arguments, self.sources = folder, list(arguments), []
        self.together = together  # the folder whose named namespaces are here

    def takes(self, together):
        return together == self.together and len(self.sources) < most_sources

    def add(self, source, arguments):
        mine, theirs = macros(self.arguments), macros(arguments)
        self.sources.append((source, {k: v for k, v in theirs.items() if mine.get(k, v) != v}))
        rest = [a for a in arguments if a not in self.arguments or a == '-isystem']
        rest = rest if '-isystem' not in rest else paired(arguments)
        self.arguments += [a for a in rest if not a.startswith('-D') or a[2:].partition('=')[0] not in mine]

    def text(self):
        headers, bodies = [], []
        given = macros(self.arguments)
        for number, (source, own) in enumerate(self.sources):
            path = pathlib.Path(source)
            for kind, name in include_line.findall(path.read_text()):
                beside = path.parent / name
                line = f'#include "{beside.resolve()}"' if kind == '"' and beside.exists() else (
                    f'#include <{name}>' if kind == '<' else f'#include "{name}"')
                if line not in headers:
                    headers.append(line)
            own = {one_for_all: f'{one_for_all}_{number}', **own}
            body = defined(own) + f'#include "{source}"\n' + defined({k: given.get(k) for k in own})
            bodies.append(body if self.together else f'namespace unit_{number} {{\nusing Apart = void;\n{body}}}\n')
        return '\n'.join(headers) + '\n' + ''.join(bodies)


def defined(values):
    return ''.join(f'#undef {k}\n' + (f'#define {k} {v}\n' if v is not None else '') for k, v in values.items())


def paired(arguments):
    """Options that come with a folder: whole, or the folder would stand alone."""
    kept = []
    for i, argument in enumerate(arguments):
        if argument == '-isystem':
            kept += [argument, arguments[i + 1]]
        elif argument.startswith(('-I', '-D')):
            kept.append(argument)
    return kept


def main():
    build, folder = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    folder.mkdir(parents=True, exist_ok=True)
    root = pathlib.Path(__file__).resolve().parent.parent
    # Compiled by a project of its own, by the cross build with instructions of ARM, by a kernel's build, or only read.
    elsewhere = ('tests/consumer/', 'tests/data/', 'tests/guests/')
    tracked = subprocess.run(['git', 'ls-files', 'tests/*.cpp', 'examples/*.cpp', 'tests/*.c', 'examples/*.c'], cwd=root,
                             check=True, capture_output=True, text=True).stdout.split()
    commands = {}
    for source, directory, arguments in compiled(build):
        commands.setdefault(source, (directory, arguments))
    units, alone, missing = [], [], []
    for name in tracked:
        if name.startswith(elsewhere):
            continue
        source = str(root / name)
        if source not in commands:
            missing.append(name)
            continue
        directory, arguments = commands[source]
        text = pathlib.Path(source).read_text()
        if name.endswith('.c') or stays_alone.search(text):
            alone.append((source, directory, arguments))
            continue
        together = str(pathlib.Path(source).parent) if in_named_namespace.search(text) else None
        unit = next((u for u in units if u.takes(together)), None)
        if unit is None:
            unit = Unit(directory, arguments, together)
            units.append(unit)
        unit.add(source, arguments)
    database = []
    for number, unit in enumerate(units):
        path = folder / f'unit_{number}.cpp'
        path.write_text(unit.text())
        database.append({'directory': unit.folder, 'file': str(path),
                         'arguments': unit.arguments + ['-w', '-c', str(path)]})
    for source, directory, arguments in alone:
        database.append({'directory': directory, 'file': source, 'arguments': arguments + ['-w', '-c', source]})
    print('\n'.join(entry['file'] for entry in database))
    for source, directory, arguments in adapters_of(build, root): # lint.sh names them itself
        database.append({'directory': directory, 'file': source, 'arguments': arguments + ['-w', '-c', source]})
    (folder / 'compile_commands.json').write_text(json.dumps(database, indent=1))
    for name in missing:
        print(f'lint_units.py: nothing compiles {name}', file=sys.stderr)
    sys.exit(1 if missing else 0)


main()
