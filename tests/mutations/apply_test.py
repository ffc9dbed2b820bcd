"""Each mutation can be applied: its text stands exactly once in its file, the replacement is another one, and the tests exist."""
import re
import subprocess
import sys

import run

ctest, build = sys.argv[1:3]
listed = subprocess.run([ctest, '--test-dir', build, '-N'], check=True, capture_output=True, text=True).stdout
tests = re.findall(r'Test +#\d+: (\S+)', listed)
wrong = []
for m in run.mutations():
    name = f'{m["file"]}: {m["text"].strip()}'
    if (n := run.occurrences(m)) != 1:
        wrong.append(f'{name}\n    stands there {n} times')
    if m['into'] == m['text']:
        wrong.append(f'{name}\n    is replaced by itself')
    if not any(re.search(m['test'], test) for test in tests):
        wrong.append(f'{name}\n    no test is called {m["test"]}')
assert len(run.mutations()) >= 100, len(run.mutations())
assert not wrong, '\n'.join(['tests/mutations/mutations.toml has to follow the code:', *wrong])
print(f'{len(run.mutations())} mutations can be applied')
