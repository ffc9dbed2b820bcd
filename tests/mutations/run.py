"""Whether the tests notice mistakes: applies each mutation of mutations.toml to a copy of the sources, builds the tests that are
named with it, and expects one of them to fail. Not part of the tests: it takes an hour. See CONTRIBUTING.md.

    python3 tests/mutations/run.py                          all of them
    python3 tests/mutations/run.py cpmip 'window.*10'       those of which "file: text" matches one of these
    options: --copy FOLDER (kept, and used again), --parallel N, --cmake OPTION (several times, after those of Copy.quick),
             --log FILE (each outcome is added to it at once)
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib

here = pathlib.Path(__file__).resolve().parent
source = here.parents[1]


def mutations():
    table = tomllib.loads((here / 'mutations.toml').read_text(encoding='utf-8'))
    build = table.pop('build')
    return [{'file': file, 'test': test, 'build': build.get(test), **dict(zip(('text', 'into', 'why'), mistake))}
            for file, tests in table.items() for test, mistakes in tests.items() for mistake in mistakes]


def occurrences(mutation, root=source):
    path = root / mutation['file']
    return path.read_text(encoding='utf-8').count(mutation['text']) if path.is_file() else 0


def quietly(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)


class Copy:
    """The sources as they are now, committed or not, and a build of them."""

    # What is built most often is one file: quick to compile, and a name that a mutation leaves unused is no mistake.
    quick = ['-DCPL_LB_STRICT=OFF', '-DCMAKE_UNITY_BUILD=ON', '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0 -DNDEBUG']

    def __init__(self, folder, cmake, parallel):
        self.root, self.parallel = pathlib.Path(folder), parallel
        self.build = self.root / 'build/mutations'
        self.environment = {**os.environ, 'CCACHE_NOHASHDIR': '1', 'CCACHE_BASEDIR': str(self.root)}
        files = quietly(['git', '-C', str(source), 'ls-files', '--cached', '--others', '--exclude-standard']).stdout.split('\n')
        for name in filter(None, files):
            there, mine = source / name, self.root / name
            if not there.is_file() or mine.is_file() and mine.read_bytes() == there.read_bytes():
                continue
            mine.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(there, mine)
        self.compile_alone(sorted({m['file'] for m in mutations()}))
        include = f'-DCMAKE_PROJECT_INCLUDE={self.build / "alone.cmake"}'
        self.must(['cmake', '-S', str(self.root), '-B', str(self.build), '--preset', 'dev', *self.quick, include, *cmake],
                  cwd=self.root)
        listed = self.must(['ctest', '--test-dir', str(self.build), '-N']).stdout
        self.tests = re.findall(r'Test +#\d+: (\S+)', listed)

    def compile_alone(self, files):
        """A mutated file is compiled alone, all others in unities."""
        self.build.mkdir(parents=True, exist_ok=True)
        (self.build / 'alone.cmake').write_text(f'''
function(compile_alone folder)
  set_source_files_properties({' '.join(str(self.root / f) for f in files)}
    DIRECTORY "${{folder}}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  get_property(below DIRECTORY "${{folder}}" PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS below)
    compile_alone("${{one}}")
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${{CMAKE_SOURCE_DIR}}" CALL compile_alone "${{CMAKE_SOURCE_DIR}}")
''', encoding='utf-8')

    def must(self, command, **more):
        done = quietly(command, env=self.environment, **more)
        if done.returncode != 0:
            sys.exit(f'{" ".join(command)}:\n{done.stdout[-4000:]}')
        return done

    def targets(self, pattern):
        return [test for test in self.tests if re.search(pattern, test)]

    def builds(self, mutation):
        targets = mutation.get('build') or self.targets(mutation['test'])
        return quietly(['cmake', '--build', str(self.build), '--parallel', str(self.parallel), '--target', *targets],
                       env=self.environment)

    def passes(self, pattern, limit_s=300.0):
        return quietly(['ctest', '--test-dir', str(self.build), '-R', pattern, '--stop-on-failure', '--timeout', str(limit_s)],
                       env=self.environment).returncode == 0

    def usual_s(self, mutation):
        """How long these tests take without a mutation, with which they are not waited for much longer; None: they fail."""
        if self.builds(mutation).returncode != 0:
            return None
        began = time.monotonic()
        return time.monotonic() - began if self.passes(mutation['test']) else None

    def outcome(self, mutation, usual_s):
        """Noticed, survived, or what is wrong with the mutation."""
        if occurrences(mutation) != 1:
            return 'not there once'
        if usual_s is None:
            return f'not tried: {mutation["test"]} does not pass as it is'
        path = self.root / mutation['file']
        whole = path.read_text(encoding='utf-8')
        try:
            path.write_text(whole.replace(mutation['text'], mutation['into']), encoding='utf-8')
            built = self.builds(mutation)
            if built.returncode != 0:
                errors = [line for line in built.stdout.split('\n') if ' error: ' in line]
                return 'not built: ' + (errors or ['?'])[0]
            return 'survived' if self.passes(mutation['test'], 30 + 5 * usual_s) else 'noticed'
        finally:
            path.write_text(whole, encoding='utf-8')


def try_all(wanted, copy, log):
    """How many were noticed, survived and so on."""
    for pattern in sorted({m['test'] for m in wanted}):
        if not copy.targets(pattern):
            sys.exit(f'no test is called {pattern}')
    counts, usual_s = {}, {}
    for m in wanted:
        pattern = m['test']
        if pattern not in usual_s:
            usual_s[pattern] = copy.usual_s(m)
        outcome = copy.outcome(m, usual_s[pattern])
        explained = outcome == 'survived' and 'why' in m
        name = 'explained' if explained else outcome.split(':')[0]
        counts[name] = counts.get(name, 0) + 1
        line = f'{name:10} {m["file"]}: {m["text"].strip().splitlines()[0][:90]}' + (f'\n           {outcome}' if ':' in outcome else '')
        print(line, flush=True)
        if log:
            with open(log, 'a', encoding='utf-8') as file:
                file.write(line + '\n')
    return counts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('only', nargs='*')
    parser.add_argument('--copy')
    parser.add_argument('--parallel', type=int, default=2)
    parser.add_argument('--cmake', action='append', default=[])
    parser.add_argument('--log')
    options = parser.parse_args()
    wanted = [m for m in mutations() if not options.only or any(re.search(o, f'{m["file"]}: {m["text"]}') for o in options.only)]
    wanted.sort(key=lambda m: m['test'])  # stable: those of one test together
    with tempfile.TemporaryDirectory() as temporary:
        counts = try_all(wanted, Copy(options.copy or temporary, options.cmake, options.parallel), options.log)
    print(', '.join(f'{n} {name}' for name, n in sorted(counts.items())))
    sys.exit(any(name not in ('noticed', 'explained') for name in counts))


if __name__ == '__main__':
    main()
