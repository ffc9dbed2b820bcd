"""A progress line on standard error while cpl-lb works long: only at a terminal, gone at the end. The command is
stopped for more than a second, so that the test does not depend on how fast it is."""
import os
import pathlib
import pty
import re
import signal
import subprocess
import time

from made_run import check, made_run


def reads_a_timeline(pid):
    """At work, then, and its clock is running: before that it may still be loading its libraries."""
    try:
        return any('timeline_' in os.readlink(link) for link in pathlib.Path(f'/proc/{pid}/fd').iterdir())
    except OSError:  # a file that was closed meanwhile
        return False


def run(command, terminal):
    """What came on standard error, and on standard output. On a busy machine the command may be through with its work
    before it is caught."""
    for _ in range(10):
        said, output, stopped = run_once(command, terminal)
        if stopped and (not terminal or '%' in said):
            return said, output
    raise AssertionError(f'{command}: no progress in ten runs (or over before it could be stopped: make the run larger)')


def run_once(command, terminal):
    if terminal:
        mine, theirs = pty.openpty()
    else:
        mine, theirs = os.pipe()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs,
                               env={**os.environ, 'TERM': 'xterm'})
    os.close(theirs)
    while process.poll() is None and not reads_a_timeline(process.pid):
        time.sleep(0.001)
    stopped = process.poll() is None
    if stopped:
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.2)
        stopped = process.poll() is None
        process.send_signal(signal.SIGCONT)
    output = process.stdout.read().decode()
    said = b''
    try:
        while piece := os.read(mine, 65536):
            said += piece
    except OSError:  # the other end of a pseudo-terminal was closed
        pass
    os.close(mine)
    check(process.wait() == 0, f'{command}: {said}')
    return said.decode(), output, stopped


def visible(text):
    """What a terminal shows after all of it: \r and ESC[K are all that may stand there beside letters."""
    line = ''
    for piece in re.findall(r'\r|\033\[K|[^\r\033]+', text):
        line = '' if piece in ('\r', '\033[K') else line + piece
    return line


def main():
    command, folder = made_run('size', '512', '4000')
    for arguments, doing in ((['summary'], 'reading timeline_'), (['report'], 'writing the page'),
                             (['export', '--to', 'csv', '--processes', '0', '63'], 'writing csv'),
                             (['predict'], 'reading timeline_')):
        said, output = run([command, arguments[0], str(folder), *arguments[1:]], True)
        lines = re.findall(r'cpl-lb: ([^\r\033]*) (\d+) %', said)
        check(any(doing in what for what, _ in lines), f'{arguments}: {said!r}')
        check(all(0 <= int(part) <= 100 for _, part in lines), said)
        check(visible(said) == '', f'{arguments}: left behind: {said!r}')
        # The results have per cent of their own; what belongs to the progress line alone is how it is wiped.
        check(doing not in output and '\r' not in output.replace('\r\n', '\n') and '\033' not in output,
              f'{arguments}: {output[:200]!r}')
    said, _ = run([command, 'summary', str(folder)], False)
    check(said == '', f'in a pipe: {said!r}')
    print('progress: good')


main()
