"""cpl-lb export, read back by other programs: Python's csv and json, and OTF2's own printer; compared with ncdump."""
import collections
import csv
import json
import pathlib
import re
import subprocess

from made_run import check, made_run


def events_of(file):
    """(component, process, kind, start in ns) -> stop, as ncdump prints the timeline."""
    dump = subprocess.run(['ncdump', '-p', '9,17', str(file)], check=True, capture_output=True, text=True).stdout
    values = {name: re.search(rf'\n {name} =\s*([^;]*);', dump).group(1).split(',')
              for name in ('kind', 'timer_strt', 'timer_stop')}
    name = re.search(r':component_name = "((?:[^"\\]|\\.)*)"', dump).group(1).encode().decode('unicode_escape')
    width = len(values['kind'])
    events = {}
    for i, (start, stop) in enumerate(zip(values['timer_strt'], values['timer_stop'])):
        key = (name.encode('latin-1').decode(), i // width, int(values['kind'][i % width]), round(float(start) * 1e9))
        events[key] = round(float(stop) * 1e9)
    return events


KINDS = {'PUT': 1, 'GET': 2}


def nanoseconds(text):
    whole, _, rest = text.partition('.')
    return int(whole) * 10 ** 9 + int(rest.ljust(9, '0'))


def test_csv(export, folder, expected):
    with open(export('csv'), newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    got = {(r['component'], int(r['process']), KINDS[r['kind']], nanoseconds(r['start_s'])): nanoseconds(r['stop_s'])
           for r in rows}
    check(got == expected, f'csv: {len(got)} events, expected {len(expected)}')
    check({r['field'] for r in rows} == {'T & "S" <b>', 'flux'}, 'fields')
    check({r['date'] for r in rows} == {str(3600 * n) for n in range(6)}, 'dates')
    check(rows[0]['rank'] in ('0', '100000'), 'rank')


def test_perfetto(export, folder, expected):
    with open(export('perfetto'), encoding='utf-8') as file:
        events = json.load(file, parse_float=str)['traceEvents']
    names = {e['pid']: e['args']['name'] for e in events if e['ph'] == 'M' and e['name'] == 'process_name'}

    def ns(value):  # microseconds with three decimals
        return nanoseconds(str(value)) // 10 ** 6

    got = {}
    for e in events:
        if e['ph'] == 'X':
            start = ns(e['ts'])
            got[names[e['pid']], e['tid'], KINDS[e['cat']], start] = start + ns(e['dur'])
    check(got == expected, f'perfetto: {len(got)} events, expected {len(expected)}')
    # Every arrow starts with a PUT of the first process and ends with a GET of the other component.
    begins = {e['id']: e for e in events if e['ph'] == 's'}
    ends = {e['id']: e for e in events if e['ph'] == 'f'}
    check(begins.keys() == ends.keys() and len(begins) > 0, 'arrows have two ends')
    for number, e in begins.items():
        check((names[e['pid']], e['tid'], 1, ns(e['ts'])) in expected, 'an arrow starts at a PUT')
        end = ends[number]
        check(end['pid'] != e['pid'] and ns(end['ts']) in
              {stop for (name, p, kind, _), stop in expected.items()
               if name == names[end['pid']] and p == end['tid'] and kind == 2}, 'an arrow ends with a GET')


def printed(path, *options):
    result = subprocess.run(['otf2-print', *options, str(pathlib.Path(path) / 'traces.otf2')], check=True,
                            capture_output=True, text=True)
    check(result.stderr == '', f'otf2-print: {result.stderr[:300]}')
    return result.stdout


def expected_messages(expected, locations):
    """(sender, start of its PUT, receiver, end of the GET): the n-th PUT with GET n + lag of both first processes."""
    messages = []
    names = sorted({name for name, *_ in expected})
    for source, target in (names, names[::-1]):
        def side(name, kind):
            events = collections.defaultdict(list)
            for (n, process, k, start), stop in sorted(expected.items()):
                if (n, k) == (name, kind):
                    events[process].append((start, stop))
            return events
        puts, gets = side(source, 1), side(target, 2)
        begins = [min(p[n][0] for p in puts.values()) for n in range(len(puts[0]))]
        ends = [max(p[n][1] for p in gets.values()) for n in range(len(gets[0]))]
        lag = next(l for l in range(len(ends)) if all(e >= b for b, e in zip(begins, ends[l:])))
        messages += [(locations[source, 0], put[0], locations[target, 0], get[1])
                     for put, get in zip(puts[0], gets[0][lag:])]
    return sorted(messages)


def test_otf2(export, folder, expected):
    path = export('otf2')
    definitions, lines = printed(path, '-G'), printed(path)
    names = re.findall(r'^SYSTEM_TREE_NODE .*Name: "(.*)" <\d+>, Class: "component"', definitions, re.M)
    check(sorted(names) == sorted({name for name, *_ in expected}), f'components in the system tree: {names}')
    groups = re.findall(r'^LOCATION_GROUP .*Name: "(.*) (\d+)" <\d+>, Type: PROCESS, Parent: "component::(.*)" <', definitions,
                        re.M)
    check(len(groups) == 4 and all(name == parent for name, _, parent in groups), f'a process for each: {groups}')
    locations = {(name, int(process)): l for l, (name, process, _) in enumerate(groups)}
    for name in names:
        check(re.search(rf'^COMM .*Name: "{re.escape(name)}" .*Parent: "coupled model"', definitions, re.M), name)
    roles = dict(re.findall(r'^REGION .*Name: "(GET|PUT) .*Role: (\w+, Paradigm: \w+)', definitions, re.M))
    check(roles == dict.fromkeys(KINDS, 'POINT2POINT, Paradigm: MPI'), f'roles {roles}')

    got, roots, sent, received = collections.Counter(), collections.defaultdict(list), {}, {}
    for what, location, time, region in re.findall(r'^(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: "(.*)" <', lines, re.M):
        if region in names:
            roots[int(location)].append((what, region, int(time)))
        else:
            got[what, int(time), KINDS[region[:3]]] += 1
    wanted = collections.Counter()
    for (_, _, kind, start), stop in expected.items():
        wanted['ENTER', start, kind] += 1
        wanted['LEAVE', stop, kind] += 1
    check(got == wanted, f'otf2: {sum(got.values())} events, expected {sum(wanted.values())}')
    last = max(expected.values())
    for (name, _), location in locations.items():
        (enter, region, start), (leave, _, stop) = roots[location]
        check((enter, leave, region) == ('ENTER', 'LEAVE', name) and start == 0 and stop >= last, f'root {roots}')

    # Readers join the n-th message sent to a process with one tag with the n-th that it receives.
    for what, here, time, there, tag in re.findall(
            r'^MPI_(SEND|RECV)\s+(\d+)\s+(\d+)\s+(?:Receiver|Sender): (\d+) .*Communicator: "coupled model" .*Tag: (\d+)',
            lines, re.M):
        ends = (here, there, tag) if what == 'SEND' else (there, here, tag)
        (sent if what == 'SEND' else received).setdefault(ends, []).append(int(time))
    check(sent.keys() == received.keys(), f'{sent.keys()} {received.keys()}')
    joined = sorted((int(s), put, int(r), get) for (s, r, tag), times in sent.items()
                    for put, get in zip(times, received[s, r, tag], strict=True))
    check(joined == expected_messages(expected, locations) and len(joined) > 8, f'otf2: messages {joined}')

    part = export('otf2', '--window', '3', '6', '--component', names[0], '-o', str(folder / 'part'))
    lines = printed(part)
    check('MPI_' not in lines, 'a message needs both sides')
    times = [int(time) for time in re.findall(r'^(?:ENTER|LEAVE)\s+\d+\s+(\d+)', lines, re.M)]
    inside = [t for (name, _, _, start), stop in expected.items() if name == names[0] for t in (start, stop)
              if stop >= 3 * 10 ** 9 and start <= 6 * 10 ** 9]
    check((min(times), max(times)) == (min(3 * 10 ** 9, *inside), max(6 * 10 ** 9, *inside)), 'the window is the trace')


def test_selection(export, folder, expected):
    name = '<script>alert(1)</script>'
    with open(export('csv', '--window', '3', '6', '--component', name, '--processes', '1', '5'), newline='',
              encoding='utf-8') as file:
        got = {(r['component'], int(r['process']), KINDS[r['kind']], nanoseconds(r['start_s'])) for r in csv.DictReader(file)}
    wanted = {key for key, stop in expected.items()
              if key[0] == name and key[1] == 1 and stop >= 3 * 10 ** 9 and key[3] <= 6 * 10 ** 9}
    check(got == wanted and len(got) > 0, f'selection: {len(got)} events, expected {len(wanted)}')


def main():
    command, folder = made_run('names')

    def export(to, *more):
        out = subprocess.run([command, 'export', str(folder), '--to', to, *more], check=True,
                             capture_output=True, text=True)
        return out.stdout.strip()

    expected = {}
    for file in folder.glob('timeline_*.nc'):
        expected.update(events_of(file))
    check(len(expected) == 2 * 2 * 12, f'{len(expected)} events in the timelines')
    for test in (test_csv, test_perfetto, test_otf2, test_selection):
        test(export, folder, expected)
        print(test.__name__, 'good')
    bad = subprocess.run([command, 'export', str(folder), '--to', 'csv', '--component', 'nobody'],
                         capture_output=True, text=True)
    check(bad.returncode == 1 and bad.stderr == 'cpl-lb: nobody: is no component of this run\n', bad.stderr)
    for option, said in (('--window 2 1', 'TO lies before FROM'), ('--processes 3 1', 'LAST lies before FIRST'),
                         ('--window nan 1', '--window: must be a finite number')):
        turned = subprocess.run([*bad.args[:5], *option.split()], capture_output=True, text=True, check=False)
        check(turned.returncode == 2 and said in turned.stderr, turned.stderr)
    # Nothing selected: a file without events would look like a run without them.
    before = sorted(path.name for path in folder.iterdir())
    for to in ('csv', 'perfetto', 'otf2'):
        for option, said in (('--processes 2 5', '--processes selects none: processes are numbered from 0, and no component has more than 2'),
                             ('--window 1000 2000', 'no event lies in the --window: they are from ')):
            nothing = subprocess.run([command, 'export', str(folder), '--to', to, '-o', str(folder / 'nothing'),
                                      *option.split()], capture_output=True, text=True, check=False)
            check(nothing.returncode == 1 and nothing.stdout == '', nothing.stdout)
            check(nothing.stderr.startswith(f'cpl-lb: {folder}: {said}') and nothing.stderr.count('\n') == 1, nothing.stderr)
    check(sorted(path.name for path in folder.iterdir()) == before, 'an export of nothing leaves nothing')
    check(not list(folder.glob('.*.part')), 'no leftovers')


main()
