"""cpl-lb manual and its completion, read by groff, bash and zsh."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys


def check(good, text):
    if not good:
        raise AssertionError(text)


def output(*command, text=None):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    check(result.returncode == 0 and result.stderr == '', f'{command}: {result.returncode} {result.stderr}')
    return result.stdout


def subcommands(program, *path):
    """The commands that --help lists."""
    return re.findall(r'^  ([a-z]\S*)  +\S', output(program, *path, '--help'), re.M)


def options_of(program, *path):
    """Lines of the help begin with the option that they are of."""
    return set(re.findall(r'^\s+(?:-\w,)?(--[a-zA-Z-]+)', output(program, *path, '--help'), re.M))


def words_below(program, *path):
    """All paths of words below a command: ("cpmip", "plan")."""
    for word in subcommands(program, *path):
        yield *path, word
        yield from words_below(program, *path, word)


def test_pages(program, folder):
    output(program, 'manual', str(folder / 'man'))
    commands = subcommands(program)
    pages = {path.name for path in (folder / 'man').iterdir()}
    check(pages == {'cpl-lb.1'} | {f'cpl-lb-{c}.1' for c in commands}, f'{pages}')
    for page in sorted((folder / 'man').iterdir()):
        text = output('groff', '-man', '-Tutf8', '-ww', '-P-cbou', str(page))
        for heading in ('NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'EXIT STATUS', 'SEE ALSO'):
            check(re.search(f'^{heading}$', text, re.M), f'{page.name}: {heading}')
        if page.stem != 'cpl-lb':
            command = page.stem[len('cpl-lb-'):]
            wanted = options_of(program, command)
            found = set(re.findall(r'^ {7}(?:-\w, )?(--[a-zA-Z-]+)', text, re.M))
            check(wanted and wanted <= found, f'{page.name} lacks {wanted - found}')
            for path in words_below(program, command):
                check(re.search(rf'^ {{3}}cpl-lb {" ".join(path)}$', text, re.M), f'{page.name} lacks {path}')


def completed(folder, words, shell):
    """What bash offers for the last of these words."""
    script = f'source {folder}/cpl-lb; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cpl_lb; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return set(output(shell, '-c', script, 'bash', *words).split())


def test_bash(program, folder):
    (folder / 'cpl-lb').write_text(output(program, 'manual', 'completion', 'bash'), encoding='utf-8')
    commands = set(subcommands(program))

    def offered(*words):
        return completed(folder, ('cpl-lb', *words), 'bash')

    check(offered('') >= commands, f'{offered("")}')
    check(offered('exp') == {'export'}, f'{offered("exp")}')
    check(offered('export', '--to', '') == {'perfetto', 'otf2', 'csv'}, f'{offered("export", "--to", "")}')
    check(offered('export', '--to', 'o') == {'otf2'}, 'the word that is begun')
    check(offered('import', '') >= {'esmf', 'timers'}, f'{offered("import", "")}')
    check(offered('import', 'timers', '--ou') == {'--output'}, f'{offered("import", "timers", "--ou")}')
    check(offered('import', 'timers', '--output', '') == set(), 'file names come from bash')
    check(offered('compare', '') == set(), 'folders come from bash')
    # Below a command that answers itself: its words, and folders.
    check(offered('cpmip', '') >= {'plan', 'study'} and '--json' not in offered('cpmip', ''), f'{offered("cpmip", "")}')
    check(offered('cpmip', str(folder / 'cpl')) == {str(folder / 'cpl-lb')}, 'a file, or the word')
    check(offered('cpmip', 'run', '') == set(), 'a word stands right behind its command')
    check(offered('cpmip', 'plan', '--ye') == {'--years'}, f'{offered("cpmip", "plan", "--ye")}')
    check(offered('manual', 'completion', '') == {'bash', 'zsh'}, f'{offered("manual", "completion", "")}')
    for command in commands:
        for path in words_below(program, command):
            check(offered(*path, '--') >= options_of(program, *path), f'{path}: {offered(*path, "--")}')
        check(offered(command, '--') >= options_of(program, command), f'{command}: {offered(command, "--")}')


def test_zsh(program, folder):
    path = folder / '_cpl-lb'
    path.write_text(output(program, 'manual', 'completion', 'zsh'), encoding='utf-8')
    output('zsh', '-f', '-n', str(path))
    # The words that zsh's own compadd is given for the last word of a line.
    script = (f'compdef() {{ :; }}; compset() {{ return 1; }}; compadd() {{ print -rl -- "$@"; }}; words=("$@"); CURRENT=$#; '
              f'source {path}')

    def offered(*words):
        return set(output('zsh', '-f', '-c', script, 'zsh', 'cpl-lb', *words).split())

    check(offered('') >= set(subcommands(program)), f'{offered("")}')
    check(offered('export', '--to', '') >= {'perfetto', 'otf2', 'csv'}, f'{offered("export", "--to", "")}')
    check(offered('cpmip', '--') >= {'--price'} and 'plan' not in offered('cpmip', '--'), f'{offered("cpmip", "--")}')
    check(offered('cpmip', 'plan', '--') >= options_of(program, 'cpmip', 'plan'), f'{offered("cpmip", "plan", "--")}')
    check(offered('manual', 'completion', '') >= {'bash', 'zsh'}, f'{offered("manual", "completion", "")}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--command', required=True)
    parser.add_argument('--folder', required=True)
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for test in (test_pages, test_bash, test_zsh):
        test(options.command, folder)
        print(test.__name__, 'good')
    wrong = subprocess.run([options.command, 'manual', 'completion', 'fish'], capture_output=True, text=True)
    check(wrong.returncode == 2 and wrong.stdout == '', wrong.stderr)


if __name__ == '__main__':
    sys.exit(main())
