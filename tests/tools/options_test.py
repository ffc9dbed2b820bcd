"""options_test.py COMMAND: nobody reads a long list. At most 16 commands, and at most 14 options of its own for each command
and each word below it, as --help lists them (without --help itself)."""
import re
import subprocess
import sys

MOST_COMMANDS, MOST_OPTIONS = 16, 14
command = sys.argv[1]


def help_of(path):
    return subprocess.run([command, *path, '--help'], capture_output=True, text=True, check=True).stdout


def below(text):
    """The commands that a help lists: the first of two columns, without a dash."""
    return re.findall(r'^  ([a-z][a-z-]*)  +\S', text, re.M)


def options(text):
    """Each option once, by its last name: '-o,--output FILE'."""
    return [name for name in re.findall(r'^\s+((?:-\w,)?--?[a-z][A-Za-z-]*)', text, re.M) if not name.endswith('--help')]


def long_lists(path=()):
    text = help_of(path)
    found = []
    if not path and len(below(text)) > MOST_COMMANDS:
        found.append(f'cpl-lb has {len(below(text))} commands: {" ".join(below(text))}')
    if path and len(options(text)) > MOST_OPTIONS:
        found.append(f'cpl-lb {" ".join(path)} has {len(options(text))} options: {" ".join(options(text))}')
    for name in below(text):
        found += long_lists((*path, name))
    return found


def main():
    # What is counted is counted: two lists that no command prints.
    sample = 'Options:\n  -h,--help    Print\n  -o,--output TEXT REQUIRED\n       where to\n  --json Excludes: --csv  print\n'
    if options(sample) != ['-o,--output', '--json'] or below('Subcommands:\n  es-doc      Prints\n  a wrapped line\n') != ['es-doc']:
        sys.exit(f'this test reads the help wrongly: {options(sample)}')
    if 'study' not in below(help_of(('cpmip',))) or len(options(help_of(('cpmip',)))) < 10:
        sys.exit('the help of cpmip is not read')
    found = long_lists()
    print('\n'.join(found))
    sys.exit(1 if found else 0)


if __name__ == '__main__':
    main()
