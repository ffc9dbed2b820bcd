"""cpl-lb import esmf: traces made here, with times worked out by hand; babeltrace2 reads them, too."""
import argparse
import csv
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import struct
import subprocess
import uuid

from esmf_trace import FINALIZE, INIT, METADATA, RUN, USER, Pet, write

wrong = 0
options = None


def check(good, words):
    global wrong
    if not good:
        wrong += 1
        print('wrong:', words)


def near(value, expected, words, within=1e-6):
    check(value is not None and math.isclose(value, expected, abs_tol=within), f'{words}: {value}, expected {expected}')


def place(name):
    folder = pathlib.Path(options.folder) / name
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def run(*words, status=0):
    done = subprocess.run([options.command, *map(str, words)], capture_output=True, text=True, check=False)
    check(done.returncode == status, f'{words}: status {done.returncode}: {done.stderr}')
    return done


def imported(folder, *words):
    """The json, and what is said on the screen."""
    output = folder / 'run'
    screen = run('import', 'esmf', folder / 'trace', '-o', output, *words).stdout
    summary = json.loads(run('summary', output, '--json').stdout)
    summary['of'] = {c['name']: c for c in summary['components']}
    return summary, ' '.join(screen.split())


def refused(folder, words):
    done = run('import', 'esmf', folder / 'trace', '-o', folder / 'run', status=1)
    check(words in done.stderr and done.stderr.count('\n') == 1, f'refused with {done.stderr!r}, not {words!r}')
    check(not (folder / 'run').exists(), 'a refused trace leaves results')


class Driver:
    """A PET under a driver `esm` inside an outer component, as the coupled system of a weather model has it."""

    def __init__(self, pet, start=0.0, together=(), **place_of_pet):
        self.pet = Pet(pet, **place_of_pet)
        self.pet.component(start, 'TOP', 'x' * 5000)  # longer than a packet: it vanishes
        self.pet.enter(start, '[ESMF]', kind=USER)
        self.pet.enter(start, '[TOP] Init 1', INIT)
        self.pet.enter(start, '[esm] IPDv05p1', INIT)
        for begin, end in together:
            self.pet.call(start + begin, start + end, '[A-TO-B] IPDv05p1', INIT)
        # The data of the first step: connectors run while the driver initialises. They are no exchanges.
        self.pet.call(start + 1, start + 1.5, '[ATM-TO-OCN] RunPhase1')
        self.pet.leave(start + 2)
        self.pet.leave(start + 2)
        self.pet.enter(start + 2, '[TOP] Run 1')
        self.pet.enter(start + 2, '[esm] RunPhase1')

    def end(self, at, profile=True):
        self.pet.leave(at)
        self.pet.leave(at)
        self.pet.enter(at, '[TOP] Final 1', FINALIZE)
        self.pet.leave(at)
        self.pet.leave(at)
        if profile:
            self.pet.profile(at)
        return self.pet


STEPS = 5


def side_by_side(**changes):
    """ATM on PETs 0 and 1 computes 9.8 s of each step of 10 s, OCN on PET 2 only 6 s. The connector to OCN takes 0.1 s
    after ATM has come, the one to ATM another 0.1 s."""
    drivers = [Driver(n, **changes.get(f'pet{n}', {})) for n in range(3)]
    for step in range(STEPS):
        t = 10.0 * (step + 1)
        for driver in drivers[:2]:
            driver.pet.call(t, t + 0.1, '[ATM-TO-OCN] RunPhase1')
            driver.pet.call(t + 0.1, t + 0.2, '[OCN-TO-ATM] RunPhase1')
            driver.pet.enter(t + 0.2, '[ATM] RunPhase1')
            driver.pet.call(t + 0.3, t + 9, '[dynamics] Run 1')
            driver.pet.leave(t + 10)
        ocean = drivers[2].pet
        ocean.call(t if step == 0 else t - 3.8, t + 0.1, '[ATM-TO-OCN] RunPhase1')
        ocean.call(t + 0.1, t + 0.2, '[OCN-TO-ATM] RunPhase1')
        ocean.others(t + 0.3)
        ocean.enter(t + 0.2, 'a region of the driver', kind=USER)
        ocean.call(t + 0.2, t + 6.2, '[OCN] RunPhase1')
        ocean.leave(t + 6.2)
    return [driver.end(62.0) for driver in drivers]


def check_side_by_side(summary, words, within=1e-6):
    # OCN's loop runs from its second GET to its last: 3 steps, in each 3.9 s in the GET and 0.1 s in the PUT; the last
    # GET begins where the loop ends. It computes 6 s of each step of 10 s.
    ocean, atmosphere = summary['of']['OCN'], summary['of']['ATM']
    near(ocean['loop_s'], 30, words + ', loop of OCN', within)
    near(ocean['waiting_s'], 12, words + ', waiting of OCN', within)
    near(ocean['computing_s'], 18, words + ', computing of OCN', within)
    near(ocean['waiting_for']['ATM']['get_s'], 11.7, words + ', OCN for ATM in GET', within)
    near(ocean['waiting_for']['ATM']['put_s'], 0.3, words + ', OCN for ATM in PUT', within)
    # ATM: 0.1 s in the PUT and 0.1 s in the GET of each of 3 steps.
    near(atmosphere['loop_s'], 30, words + ', loop of ATM', within)
    near(atmosphere['waiting_s'], 0.6, words + ', waiting of ATM', within)
    check(atmosphere['processes'] == 2 and ocean['processes'] == 1, words + ', processes')
    check(summary['clock']['order_violations'] == 0, words + ', order')


def test_side_by_side():
    folder = place('side_by_side')
    write(folder / 'trace', side_by_side())
    # From the first event of the trace at 0 s to the last one at 62 s; one day in 62 s is 86400 / 62 / 365 SYPD.
    summary, screen = imported(folder, '--simulated', 86400)
    check_side_by_side(summary, 'side by side')
    near(summary['run']['wall_s'], 62, 'wall clock')
    near(summary['run']['sypd'], 86400 / 365 / 62, 'SYPD')
    near(summary['run']['chsy'], 3 * 62 / 3600 * 365, 'CHSY')
    check(summary['run']['started'] == '2023-11-14T22:13:20Z', 'started, ' + summary['run']['started'])
    check(summary['clock']['nodes'] == 1 and summary['clock']['error_bound_s'] == 0, 'one clock')
    check('no model dates, no bytes and no fields' in screen and '--simulated' not in screen, screen)
    # Small packets (ESMF_RUNTIME_TRACE_FLUSH=EAGER), and the folder that holds traceout: the same.
    pets = side_by_side(**{f'pet{n}': {'packet': 1024} for n in range(3)})
    folder = place('small_packets')
    write(folder / 'trace' / 'traceout', pets, metadata=None)
    summary, screen = imported(folder)
    check_side_by_side(summary, 'small packets')
    check(all(pet.vanished == 1 for pet in pets) and len(pets[2].packets) > 2, 'packets')
    check(summary['run']['sypd'] is None and 'SYPD and CHSY are n/a: give it with --simulated' in screen, screen)


def test_in_turn():
    """ATM (2 s) and MED (1 s) in turn on PETs 0 and 1, OCN (1 s) on PET 2, a step of 4 s. PET 1 computes ATM in 1.5 s."""
    drivers = [Driver(n) for n in range(3)]
    for step in range(STEPS):
        t = 4.0 * (step + 1)
        for n, driver in enumerate(drivers[:2]):
            pet = driver.pet
            pet.call(t, t + 0.9, '[MED] med_phases_prep_ocn')
            pet.call(t + 0.9, t + 1.0, '[MED] med_phases_restart_write')
            pet.call(t + 1.0, t + 1.25, '[MED-TO-OCN] RunPhase1')
            pet.call(t + 1.25, t + 1.5, '[MED-TO-ATM] RunPhase1')
            pet.call(t + 1.5, t + 3.5 - 0.5 * n, '[ATM] RunPhase1')
            pet.call(t + 3.5 - 0.5 * n, t + 3.75, '[ATM-TO-MED] RunPhase1')
            pet.call(t + 3.75, t + 4, '[OCN-TO-MED] RunPhase1')
        ocean = drivers[2].pet
        ocean.call(t, t + 1.25, '[MED-TO-OCN] RunPhase1')
        ocean.call(t + 1.25, t + 2.25, '[OCN] RunPhase1')
        ocean.call(t + 2.25, t + 2.25, '[OCN-TO-MED] RunPhase1')
        ocean.call(t + 2.25, t + 2.25, '[MED-TO-esm] RunPhase1')
    folder = place('in_turn')
    write(folder / 'trace', [driver.end(26.0) for driver in drivers])
    summary, _ = imported(folder)
    atmosphere, mediator, ocean = (summary['of'][name] for name in ('ATM', 'MED', 'OCN'))
    # OCN, from GET to GET 12 s: 1.25 s in each of its three GETs. One more lies at the end of the loop.
    near(ocean['loop_s'], 12, 'OCN loop')
    near(ocean['waiting_s'], 3.75, 'OCN waits')
    # ATM has GETs of 0.25 s and PUTs of no length. In a step its processes are away from 3.5 s (3.0 s) to 1.25 s of
    # the next one: from the last leave to the last return 1.75 s, less what the window cuts: computing 2 s, and the
    # away of three steps 5.25 s.
    near(atmosphere['loop_s'], 12, 'ATM loop')
    near(atmosphere['waiting_s'], 0.75, 'ATM waits')
    near(atmosphere['away_s'], 3 * (1.75 + 2.25) / 2, 'ATM away')
    near(atmosphere['computing_s'], 3 * (2.0 + 1.5) / 2, 'ATM computes')
    # MED waits from the moment the last process has come: ATM-TO-MED 0.25 s, OCN-TO-MED 0.25 s; its PUT to OCN 0.25 s.
    near(mediator['waiting_for']['ATM']['get_s'], 0.75, 'MED for ATM')
    near(mediator['waiting_for']['OCN']['get_s'], 0.75, 'MED for OCN')
    near(mediator['waiting_for']['OCN']['put_s'], 0.75, 'MED to OCN')
    near(mediator['restart_s'], 0.3, 'restarts of MED')
    check('esm' not in summary['of'] and set(summary['of']) == {'ATM', 'MED', 'OCN'}, 'components')
    prediction = run('predict', folder / 'run').stdout
    check('alpha' in prediction, 'predict: ' + prediction)
    run('balance', folder / 'run', '--total', '6')
    run('report', folder / 'run', '-o', folder / 'page.html')


def test_sends_while_another_runs():
    """Both connectors first, then both components, all on the same PETs: ATM sends what it computed while the PETs are
    OCN's. That is no ring of dependencies."""
    drivers = [Driver(n) for n in range(2)]
    for step in range(10):
        t = 4.0 * (step + 1)
        for driver in drivers:
            for name, begin, end in (('ATM-TO-OCN', 0, 0.25), ('OCN-TO-ATM', 0.25, 0.5), ('ATM', 0.5, 3), ('OCN', 3, 4)):
                driver.pet.call(t + begin, t + end, f'[{name}] RunPhase1')
    folder = place('sends_while_another_runs')
    write(folder / 'trace', [driver.end(46.0) for driver in drivers])
    summary, _ = imported(folder)
    # In each of 8 steps of 4 s ATM has its PETs from 0.25 s to 3 s, and OCN the rest of the time.
    near(summary['of']['ATM']['loop_s'], 32, 'loop of ATM')
    near(summary['of']['ATM']['away_s'], 8 * 1.25, 'ATM away')
    near(summary['of']['ATM']['computing_s'], 8 * 2.5, 'ATM computes')
    near(summary['of']['OCN']['away_s'], 8 * 2.75, 'OCN away')
    near(summary['of']['OCN']['computing_s'], 8 * 1.0, 'OCN computes')
    prediction = json.loads(run('predict', folder / 'run', '--json').stdout)
    # The replayed loop is what both compute, one after the other: 3.5 s of each 4 s.
    near(prediction['model_s'] / prediction['measured_s'], 3.5 / 4, 'model by measured', 0.01)


def collectives(count):
    """Of different length, a second apart; ended by all at once."""
    return [(0.02 * n, 0.02 * n + 0.01) for n in range(count)]


def test_clocks():
    """The same run, on three nodes whose clocks are 7 ms ahead and 3 s behind. Unless that is found, OCN sends before
    it can have received."""
    together = collectives(12)
    nodes = {'pet0': {'node': 'n0'}, 'pet1': {'node': 'n1', 'ahead': 0.007}, 'pet2': {'node': 'n2', 'ahead': -3.0}}
    for name, place_of in nodes.items():
        place_of['together'] = together
    folder = place('clocks')
    write(folder / 'trace', side_by_side(**nodes))
    summary, screen = imported(folder)
    check_side_by_side(summary, 'three clocks')
    check(summary['clock']['nodes'] == 3 and summary['clock']['error_bound_s'] < 1e-6, summary['clock'])
    check('differed by up to 3.01e+03 ms' in screen, screen)
    near(summary['run']['wall_s'], 62, 'wall clock of three clocks')
    near(summary['of']['ATM']['jitter_s'], 0, 'jitter of processes whose clocks differ')
    # Clocks that began with their machines (ESMF_RUNTIME_TRACE_CLOCK=MONOTONIC), one of them 11 days before.
    for name, place_of in nodes.items():
        place_of['epoch'], place_of['ahead'] = (1000, 0) if name == 'pet0' else (1_000_000, 0)
    folder = place('uptimes')
    write(folder / 'trace', side_by_side(**nodes))
    summary, screen = imported(folder)
    check_side_by_side(summary, 'three uptimes')
    near(summary['run']['wall_s'], 62, 'wall clock of three uptimes')
    check(summary['run']['started'] is None, 'no time of day')
    # Without common phases nothing can be said, and that is said.
    folder = place('clocks_not_known')
    pets = [Pet(n, node=f'n{n}') for n in range(2)]
    for pet, name in zip(pets, ('ATM', 'OCN')):
        pet.enter(2, '[esm] RunPhase1')
        for step in range(STEPS):
            pet.call(10 + step, 10.5 + step, '[ATM-TO-OCN] RunPhase1')
            pet.call(10.5 + step, 11 + step, f'[{name}] RunPhase1')
        pet.leave(20)
        pet.profile(20)
    write(folder / 'trace', pets)
    summary, screen = imported(folder)
    check("the clock of n1 cannot be compared with the first node's clock (1 node in all)" in screen, screen)
    check(summary['clock']['error_bound_s'] is None, summary['clock'])


def test_writers():
    """PETs 3 and 4 write for ATM. They call ATM's phases and connectors far ahead of the others."""
    pets = side_by_side()
    for n in (3, 4):
        driver = Driver(n)
        for step in range(STEPS):
            t = 10.0 + 0.1 * step
            driver.pet.call(t, t, '[ATM-TO-OCN] RunPhase1')
            driver.pet.call(t, t, '[OCN-TO-ATM] RunPhase1')
            driver.pet.enter(t, '[ATM] RunPhase1')
            driver.pet.call(t + 0.01, t + 0.05, '[wrtComp_01] Run 1')
            driver.pet.leave(t + 0.1)
        pets.append(driver.end(62.0))
    folder = place('writers')
    write(folder / 'trace', pets)
    summary, screen = imported(folder)
    check_side_by_side(summary, 'with writers')
    near(summary['of']['ATM']['jitter_s'], 0, 'jitter of ATM')
    writer = summary['of']['ATM-wrtComp_01']
    check(writer['processes'] == 2 and writer['waiting_s'] in (None, 0), writer)
    check('2 PETs of ATM (first 3) only write: shown as ATM-wrtComp_01' in screen, screen)
    near(writer['output_s'], 3 * 0.04, 'writing in three of five steps')


def test_what_is_missing():
    folder = place('old')
    old = side_by_side(**{f'pet{n}': {'epoch': 1_690_000_000} for n in range(3)})
    old[0].pet, old[1].pet, old[2].pet = 3, 4, 5
    write(folder / 'trace', side_by_side() + old)
    summary, screen = imported(folder)
    check_side_by_side(summary, 'beside old streams')
    check('3 streams (first esmf_stream_0003) left out: from another run in the same folder' in screen, screen)

    folder = place('partial')
    pets = side_by_side()
    write(folder / 'trace', [pets[0], pets[2]])
    summary, screen = imported(folder)
    check('1 PET without a stream (1)' in screen, screen)
    check('1 of 3 processes is missing: rank 1. The figures cover only the others.' in screen, screen)
    check('The possible gain is not known: processes are missing,' in screen, screen)
    run('predict', folder / 'run')
    run('predict', folder / 'run', '--pes', 'OCN=2', status=1)
    run('balance', folder / 'run', '--total', '3', status=1)
    near(summary['of']['OCN']['waiting_s'], 12, 'OCN, not all of ATM traced')
    folder = place('untraced')
    write(folder / 'trace', pets[:2])
    summary, screen = imported(folder)
    check('OCN is named in connectors, but no traced PET runs it' in screen, screen)
    near(summary['of']['ATM']['waiting_for']['OCN']['get_s'], 0.3, 'ATM for a component that is not traced')

    # The tail: what PET 2 wrote since the GET of its fourth step is not there. OCN's loop ends there: two steps less.
    folder = place('tail')
    pets = side_by_side(pet2={'packet': 256})
    ocean = pets[2].bytes()
    begun = struct.pack('<Q', pets[2].epoch + round(36.2e9))
    fourth = next(i for i in range(0, len(ocean), 256) if begun in ocean[i:i + 256])
    write(folder / 'trace', pets)
    (folder / 'trace' / 'esmf_stream_0002').write_bytes(ocean[:fourth] + ocean[fourth:fourth + 100])
    summary, screen = imported(folder)
    check('the end of the trace is missing on 1 PET (2)' in screen and '1 packet cut or damaged' in screen, screen)
    near(summary['of']['OCN']['loop_s'], 10, 'loop of OCN without its tail')
    near(summary['of']['OCN']['waiting_s'], 4, 'waiting of OCN without its tail')

    # PET 1 ends in its third step. ATM's loop does, too, though PET 0 goes on: of three PUTs one step of 10 s.
    folder = place('tail_of_one')
    pets = side_by_side(pet1={'packet': 256})
    data = pets[1].bytes()
    at_39_s = struct.pack('<Q', pets[1].epoch + round(39e9))
    write(folder / 'trace', pets)
    end = next(i for i in range(0, len(data), 256) if at_39_s in data[i:i + 256])
    (folder / 'trace' / 'esmf_stream_0001').write_bytes(data[:end])
    summary, screen = imported(folder)
    check('the end of the trace is missing on 1 PET (1)' in screen and 'cut or damaged' not in screen, screen)
    near(summary['of']['ATM']['loop_s'], 10, 'loop of ATM without the tail of one PET')
    near(summary['of']['OCN']['loop_s'], 30, 'loop of OCN beside it')

    # Lost: the third call of a connector on PET 1, its begin and its end. The profile has counted it.
    folder = place('lost')
    pets = side_by_side()
    driver = Driver(1)
    for step in range(STEPS):
        t = 10.0 * (step + 1)
        driver.pet.call(t, t + 0.1, '[ATM-TO-OCN] RunPhase1', lost=step == 2)
        driver.pet.call(t + 0.1, t + 0.2, '[OCN-TO-ATM] RunPhase1')
        driver.pet.call(t + 0.2, t + 10, '[ATM] RunPhase1')
    write(folder / 'trace', [pets[0], driver.end(62.0), pets[2]])
    summary, screen = imported(folder)
    check('1 call of component phases lost by ESMF' in screen, screen)


def test_refused():
    folder = place('wrong_uuid')
    other = uuid.UUID('11111111-a5c7-11e8-8529-34f39aeaad30')
    write(folder / 'trace', side_by_side(pet1={'trace_uuid': other}))
    refused(folder, 'not the layout of ESMF')
    folder = place('wrong_metadata')
    write(folder / 'trace', side_by_side(), METADATA.replace('21c4e078', '21c4e079'))
    refused(folder, 'metadata: not the layout of ESMF')
    folder = place('profile')
    only = Pet(0)
    only.region(0, '[esm] RunPhase1', RUN)
    only.profile(1)
    write(folder / 'trace', [only])
    refused(folder, 'a profile, not a trace')
    folder = place('no_streams')
    (folder / 'trace').mkdir(parents=True)
    refused(folder, 'no files esmf_stream_*')
    (folder / 'trace' / 'esmf_stream_0000').write_bytes(b'')
    refused(folder, 'no stream of ESMF')
    # A hole of 20 GiB, which is no stream: nobody has the memory for it.
    os.truncate(folder / 'trace' / 'esmf_stream_0000', 20 << 30)
    before = resource.getrlimit(resource.RLIMIT_AS)
    if not options.sanitized:  # a sanitizer's own map of all addresses is larger than any limit
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, before[1]))
    refused(folder, 'no stream of ESMF')
    resource.setrlimit(resource.RLIMIT_AS, before)
    most_kb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    check(most_kb < 1 << 20, f'{most_kb} kB for a hole')
    folder = place('many_components')
    # Each takes 0.1 kB of the trace, and a timeline of 32 kB + 18 kB of names: 0.12 GB of 0.3 MB.
    drivers = [Driver(0)]
    for n in range(2500):
        drivers[0].pet.call(3 + 0.01 * n, 3.005 + 0.01 * n, f'[C{n:05}] RunPhase1')
    drivers[0].pet.call(50, 51, '[C00000-TO-C00001] RunPhase1')
    write(folder / 'trace', [drivers[0].end(62.0)])
    refused(folder, '2500 components and 1 fields are more than')
    folder = place('no_driver')
    alone = Pet(0)
    alone.call(0, 1, '[ATM] Run 1')
    alone.profile(1)
    write(folder / 'trace', [alone])
    refused(folder, 'no driver in the trace')
    run('import', status=2)
    run('import', 'esmf', folder, '-o', folder, '--simulated', '-1', status=2)


def test_damage():
    """Any bytes may be wrong: results or one line, never a crash."""
    folder = place('damage')
    write(folder / 'trace', side_by_side())
    names = sorted((folder / 'trace').glob('esmf_stream_*'))
    whole = [name.read_bytes() for name in names]
    chance = random.Random(1)
    for _ in range(40):
        for name, data in zip(names, whole):
            damaged = bytearray(data)
            for _ in range(chance.randrange(20)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            name.write_bytes(damaged[:chance.choice([len(damaged), chance.randrange(len(damaged))])])
        done = subprocess.run([options.command, 'import', 'esmf', folder / 'trace', '-o', folder / 'run'],
                              capture_output=True, text=True, check=False)
        check(done.returncode in (0, 1), f'status {done.returncode}')
        check(done.returncode == 0 or done.stderr.count('\n') == 1, done.stderr)


def babeltrace_events(folder):
    """(pet, time [ns], what, number or definition) as babeltrace2 prints them."""
    printed = subprocess.run(['babeltrace2', '--clock-seconds', '--clock-gmt', str(folder)], capture_output=True,
                             text=True, check=True).stdout
    line = re.compile(r'\[(\d+)\.(\d{9})\] \(.*?\) (\w+): \{ nodename = "(.*?)", pet = (\d+) \}, \{ (.*) \}')
    for words in printed.splitlines():
        match = line.match(words)
        check(match is not None, 'babeltrace2: ' + words)
        seconds, nano, what, _, pet, fields = match.groups()
        yield int(pet), int(seconds) * 10 ** 9 + int(nano), what, fields


def expected_exchanges(folder):
    """PUT and GET by what babeltrace2 reads, in this file's own words."""
    regions, open_calls, calls = {}, {}, []
    for pet, time, what, fields in babeltrace_events(folder):
        stack = open_calls.setdefault(pet, [])
        if what == 'define_region':
            number = int(re.search(r'\bid = (\d+)', fields).group(1))
            is_phase = 'type = 0' in fields
            regions[pet, number] = (re.search(r'name = "(.*)"', fields).group(1) if is_phase else None,
                                    int(re.search(r'method = (\d+)', fields).group(1)))
        elif what == 'regionid_enter':
            stack.append((regions[pet, int(fields.split()[-1])], time))
        elif what == 'regionid_exit':
            (name, method), begin = stack.pop()
            above = [entry[0] for entry in stack if entry[0][0] is not None]
            if name and method == RUN and above and above[-1] == ('[esm] RunPhase1', RUN):
                calls.append((pet, name[1:name.index(']')], begin, time))
    runs = {}
    for pet, component, _, _ in calls:
        if '-TO-' not in component:
            runs.setdefault(pet, set()).add(component)
    events = set()
    for pet, component, begin, end in calls:
        if '-TO-' not in component:
            continue
        source, target = component.split('-TO-')
        if target in runs[pet]:
            events.add((target, pet, 'GET', component, begin, end))
        if source in runs[pet]:
            events.add((source, pet, 'PUT', component, begin, begin if target in runs[pet] else end))
    return events


def nanoseconds(words):
    whole, _, rest = words.partition('.')
    return int(whole) * 10 ** 9 + int(rest.ljust(9, '0'))


def test_oracle():
    """Random runs: what babeltrace2 reads of them is what stands in the timelines."""
    for seed in range(4):
        chance = random.Random(seed)
        drivers = [Driver(n, packet=chance.choice([1024, 4096])) for n in range(6)]
        components = {n: chance.choice([['ATM'], ['OCN'], ['ATM', 'OCN']]) for n in range(6)}
        components[0], components[5] = ['ATM'], ['OCN']
        clock = [10.0] * 6
        for _ in range(chance.randrange(3, 30)):
            for name in ('ATM-TO-OCN', 'OCN-TO-ATM', 'ATM', 'OCN'):
                for n, driver in enumerate(drivers):
                    if '-TO-' not in name and name not in components[n]:
                        continue
                    length = chance.randrange(1000) * 1e-3
                    driver.pet.call(clock[n], clock[n] + length, f'[{name}] RunPhase1')
                    if chance.random() < 0.2:
                        driver.pet.others(clock[n] + length)
                    clock[n] += length
        folder = place(f'oracle{seed}')
        write(folder / 'trace', [driver.end(max(clock)) for driver in drivers])
        run('import', 'esmf', folder / 'trace', '-o', folder / 'run')
        run('export', folder / 'run', '--to', 'csv', '-o', folder / 'run.csv')
        zero = 1_700_000_000 * 10 ** 9
        with open(folder / 'run.csv', newline='', encoding='utf-8') as file:
            got = {(r['component'], int(r['rank']), r['kind'], r['field'], nanoseconds(r['start_s']) + zero,
                    nanoseconds(r['stop_s']) + zero) for r in csv.DictReader(file)}
        expected = expected_exchanges(folder / 'trace')
        check(got == expected and len(got) > 20, f'seed {seed}: {len(got)} events, babeltrace2 {len(expected)}, '
              f'first not the same: {sorted(got ^ expected)[:2]}')


def main():
    global options
    parser = argparse.ArgumentParser()
    parser.add_argument('--command', required=True)
    parser.add_argument('--folder', required=True)
    parser.add_argument('--sanitized', action='store_true')
    parser.add_argument('--tests', nargs='*', default=[])
    options = parser.parse_args()
    tests = {name[5:]: test for name, test in globals().items() if name.startswith('test_')}
    for name in options.tests or tests:
        tests[name]()
    print('wrong:' if wrong else 'good', wrong or '')
    return 1 if wrong else 0


if __name__ == '__main__':
    raise SystemExit(main())
