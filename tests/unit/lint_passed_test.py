"""cmake/lint_passed.py in a small tree of its own: a file is looked at again when it, a header that it stands on, the
rules or the linter's version changed, and not otherwise."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def check(good, text):
    if not good:
        raise AssertionError(text)


def main():
    with tempfile.TemporaryDirectory() as name:
        tree = pathlib.Path(name).resolve()
        linter = tree / 'linter'

        def version(number):
            linter.write_text(f'#!/bin/sh\necho "LLVM version {number}"\n')
            linter.chmod(0o755)

        def run(what, *files):
            return subprocess.run([sys.executable, str(tree / 'cmake/lint_passed.py'), what, *files], check=True, cwd=tree,
                                  capture_output=True, text=True, env={**os.environ, 'CLANG_TIDY': str(linter)}).stdout.split()

        def todo():
            return [pathlib.Path(path).name for path in run('todo', 'libcpl_lb/io/a.cpp', 'libcpl_lb/io/b.cpp')]

        for path, text in (('libcpl_lb/io/a.cpp', '#include "io/near.hpp"\n'), ('libcpl_lb/io/b.cpp', '#include <vector>\n'),
                           ('libcpl_lb/io/near.hpp', '#include "far.hpp"\n'), ('libcpl_lb/io/far.hpp', '// far\n'),
                           ('.clang-tidy', 'Checks: one\n')):
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(text)
        (tree / 'cmake').mkdir()
        shutil.copy(sys.argv[1], tree / 'cmake')
        version('14.0.6')

        check(todo() == ['a.cpp', 'b.cpp'], 'nothing has passed yet')
        run('record', 'libcpl_lb/io/a.cpp')
        check(todo() == ['b.cpp'], 'one has passed')
        run('record', 'libcpl_lb/io/b.cpp')
        check(todo() == [], 'both have passed, the first still')
        (tree / 'libcpl_lb/io/far.hpp').write_text('// further\n')
        check(todo() == ['a.cpp'], 'a header of a header changed')
        run('record', 'libcpl_lb/io/a.cpp')
        version('15.0.0')
        check(todo() == ['a.cpp', 'b.cpp'], 'another linter')
        version('14.0.6')
        (tree / '.clang-tidy').write_text('Checks: two\n')
        check(todo() == ['a.cpp', 'b.cpp'], 'other rules')
        (tree / '.clang-tidy').write_text('Checks: one\n')
        check(todo() == [], 'all is as it was')
        (tree / 'libcpl_lb/io/b.cpp').unlink()
        run('record', 'libcpl_lb/io/a.cpp')
        listed = (tree / 'cmake/lint_passed.txt').read_text()
        check('a.cpp' in listed and 'b.cpp' not in listed, f'a file that is gone: {listed}')


main()
