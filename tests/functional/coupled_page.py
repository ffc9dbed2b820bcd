"""Two pages of one run are equal, but for the time that the analysis took. Arguments: the pages, and the run's steps."""
import json
import pathlib
import re
import sys

HELD = re.compile(r'<script type="[^"]*" id="(\w+)"[^>]*>([^<]*)</script>')


def held(path):
    """What the page holds as data, by name."""
    blocks = dict(HELD.findall(pathlib.Path(path).read_text()))
    data = json.loads(blocks.pop('data'))
    assert data['info'].pop('analysis_s') >= 0
    return data, blocks


def differences(one, other, where=''):
    if type(one) is type(other) and isinstance(one, dict):
        return [d for k in {*one, *other} for d in differences(one.get(k), other.get(k), f'{where}.{k}')]
    if type(one) is type(other) and isinstance(one, list) and len(one) == len(other):
        return [d for i, both in enumerate(zip(one, other)) for d in differences(*both, f'{where}[{i}]')]
    return [] if one == other else [f'{where}: {str(one)[:200]} and {str(other)[:200]}']


def differences_of(page, other):
    return [d for one, two in zip(held(page), held(other)) for d in differences(one, two)]


def main():
    steps = int(sys.argv[3])
    told = differences_of(sys.argv[1], sys.argv[2])
    assert not told, '\n'.join(told)
    data, blocks = held(sys.argv[1])
    assert len(blocks) >= 4, f'events are there: {blocks.keys()}'
    # Each coupling field goes over once in each step.
    names = data['info']['field_names']
    messages = {names[x['field'] - 1]: (x['puts'], x['gets']) for x in data['exchanges']}
    assert messages['SST'] == (steps, steps), messages
    print('the page of the run is that of cpl-lb report')


if __name__ == '__main__':
    main()
