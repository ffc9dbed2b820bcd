"""Whether the tests notice mistakes: applies each mutation of mutations.toml to a copy of the sources, builds the tests that are
named with it, and expects one of them to fail. Not part of the tests: it takes an hour and more. See CONTRIBUTING.md.

    python3 tests/mutations/run.py                          all of them
    python3 tests/mutations/run.py cpmip 'window.*10'       those of which "file: text" matches one of these
    options: --copy FOLDER (kept, and used again), --parallel N, --cmake OPTION (several times; default: preset dev)
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

here = pathlib.Path(__file__).resolve().parent
source = here.parents[1]


def mutations():
    return tomllib.loads((here / 'mutations.toml').read_text(encoding='utf-8'))['mutation']


def occurrences(mutation, root=source):
    path = root / mutation['file']
    return path.read_text(encoding='utf-8').count(mutation['text']) if path.is_file() else 0


def quietly(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)


class Copy:
    """The sources as they are now, committed or not, and a build of them."""

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
        self.must(['cmake', '-S', str(self.root), '-B', str(self.build), '--preset', 'dev', *cmake], cwd=self.root)
        listed = self.must(['ctest', '--test-dir', str(self.build), '-N']).stdout
        self.tests = re.findall(r'Test +#\d+: (\S+)', listed)

    def must(self, command, **more):
        done = quietly(command, env=self.environment, **more)
        if done.returncode != 0:
            sys.exit(f'{" ".join(command)}:\n{done.stdout[-4000:]}')
        return done

    def targets(self, pattern):
        return [test for test in self.tests if re.search(pattern, test)]

    def builds(self, pattern):
        return quietly(['cmake', '--build', str(self.build), '--parallel', str(self.parallel), '--target', *self.targets(pattern)],
                       env=self.environment)

    def passes(self, pattern):
        return quietly(['ctest', '--test-dir', str(self.build), '-R', pattern, '--timeout', '300'], env=self.environment).returncode == 0

    def outcome(self, mutation):
        """Noticed, survived, or what is wrong with the mutation."""
        path = self.root / mutation['file']
        whole = path.read_text(encoding='utf-8')
        try:
            path.write_text(whole.replace(mutation['text'], mutation['into']), encoding='utf-8')
            built = self.builds(mutation['test'])
            if built.returncode != 0:
                errors = [line for line in built.stdout.split('\n') if ' error: ' in line]
                return 'not built: ' + (errors or ['?'])[0]
            return 'survived' if self.passes(mutation['test']) else 'noticed'
        finally:
            path.write_text(whole, encoding='utf-8')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('only', nargs='*')
    parser.add_argument('--copy')
    parser.add_argument('--parallel', type=int, default=2)
    parser.add_argument('--cmake', action='append', default=[])
    options = parser.parse_args()
    wanted = [m for m in mutations() if not options.only or any(re.search(o, f'{m["file"]}: {m["text"]}') for o in options.only)]
    counts = {}
    with tempfile.TemporaryDirectory() as temporary:
        copy = Copy(options.copy or temporary, options.cmake, options.parallel)
        for pattern in sorted({m['test'] for m in wanted}):
            if not copy.targets(pattern):
                sys.exit(f'no test is called {pattern}')
            built = copy.builds(pattern)
            if built.returncode != 0 or not copy.passes(pattern):
                sys.exit(f'{pattern}: does not pass as it is\n{built.stdout[-2000:]}')
        for m in wanted:
            outcome = copy.outcome(m) if occurrences(m) == 1 else 'not there once'
            explained = outcome == 'survived' and 'why' in m
            name = 'explained' if explained else outcome.split(':')[0]
            counts[name] = counts.get(name, 0) + 1
            print(f'{name:10} {m["file"]}: {m["text"].strip().splitlines()[0][:90]}' + (f'\n           {outcome}' if ':' in outcome else ''),
                  flush=True)
    print(', '.join(f'{n} {name}' for name, n in sorted(counts.items())))
    sys.exit(any(name not in ('noticed', 'explained') for name in counts))


if __name__ == '__main__':
    main()
