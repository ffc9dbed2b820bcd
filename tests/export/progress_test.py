"""A progress line on standard error while cpl-lb works long: only at a terminal, gone at the end. What the command takes
for long is made by hand: its clock goes 100,000 times too fast, or stands still (SKEWED_CLOCK, tests/stubs)."""
import os
import pty
import re
import subprocess

from made_run import check, made_run

FAST, STILL = 1e11, -1e6  # parts per million by which the clock is off


def run(command, ppm, terminal=True):
    """What came on standard error, and on standard output."""
    mine, theirs = pty.openpty() if terminal else os.pipe()
    environment = {**os.environ, 'TERM': 'xterm', 'LD_PRELOAD': os.environ['SKEWED_CLOCK'], 'SKEW_none': f'0 {ppm}',
                   'ASAN_OPTIONS': 'verify_asan_link_order=0'}  # the sanitizer need not be the first library
    with open('output', 'wb') as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=theirs, env=environment)
    os.close(theirs)
    said = b''
    try:
        while piece := os.read(mine, 65536):
            said += piece
    except OSError:  # the other end of a pseudo-terminal was closed
        pass
    os.close(mine)
    check(process.wait() == 0, f'{command}: {said[-1000:]}')
    with open('output', encoding='utf-8') as output:
        return said.decode(), output.read()


def visible(text):
    """What a terminal shows after all of it: \r and ESC[K are all that may stand there beside letters."""
    line = ''
    for piece in re.findall(r'\r|\033\[K|[^\r\033]+', text):
        line = '' if piece in ('\r', '\033[K') else line + piece
    return line


def main():
    command, folder = made_run('size', '64', '4000')
    os.chdir(folder.parent)
    for arguments, doing in ((['summary'], 'reading timeline_'), (['report'], 'writing the page'),
                             (['export', '--to', 'csv', '--processes', '0', '7'], 'writing csv'),
                             (['predict'], 'reading timeline_')):
        line = [command, arguments[0], str(folder), *arguments[1:]]
        said, output = run(line, FAST)
        shown = re.findall(r'cpl-lb: ([^\r\033]*) (\d+) %', said)
        check(any(doing in what for what, _ in shown), f'{arguments}: {said[-1000:]!r}')
        check(all(0 <= int(part) <= 100 for _, part in shown), said[-1000:])
        check(visible(said) == '', f'{arguments}: left behind: {said[-1000:]!r}')
        # The results have per cent of their own; what belongs to the progress line alone is how it is wiped.
        check(doing not in output and '\r' not in output and '\033' not in output, f'{arguments}: {output[:200]!r}')
        said, _ = run(line, STILL)
        check(said == '', f'{arguments}: in no time: {said[-1000:]!r}')
    said, _ = run([command, 'summary', str(folder)], FAST, terminal=False)
    check(said == '', f'in a pipe: {said!r}')
    print('progress: good')


main()
