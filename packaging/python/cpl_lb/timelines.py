"""timeline_<component>.nc as an xarray.Dataset: names in place of numbers, nothing read before it is needed."""
import numpy
import pandas
import xarray
from xarray.backends import BackendArray
from xarray.core import indexing

from cpl_lb.errors import Error

NEEDED = ('kind', 'field', 'component', 'timer_strt', 'timer_stop')
KINDS = ['UNDF', 'PUT', 'GET', 'MAP', 'OUT', 'READ', 'RST', 'TRN', 'PART', 'ENDF', 'TERM', 'SYNC']
TIMES = {'start', 'stop', 'elapsed', 'step_start', 'away_start', 'away_stop'}
RENAMED = {'nx': 'event', 'ny': 'process', 'na': 'away', 'timer_strt': 'start', 'timer_stop': 'stop',
           'component': 'counterpart', 'away_strt': 'away_start'}


def read(folder, component, summary, clock):
    run = summary['run']
    data = _of_component(folder, component, summary)
    result = data
    if data.attrs.get('events') == 0:  # the layout does not allow nx = 0: one event without times stands there
        result = data.isel(nx=slice(0, 0))
    result = result.rename({old: new for old, new in RENAMED.items() if old in data.dims or old in data.variables})
    fields = _listed(data.attrs.get('field_names')) or summary.get('field_names') or []
    components = _listed(data.attrs.get('component_names')) or summary.get('component_names') or []
    result['kind'] = _names(result['kind'], KINDS)
    result['field'] = _names(result['field'], ['', *fields])
    result['counterpart'] = _names(result['counterpart'], ['', *components])
    if 'process' not in result.coords:
        result = result.assign_coords(process=numpy.arange(result.sizes['process']))
    result = result.set_coords([name for name in ('kind', 'field', 'counterpart', 'date', 'rank') if name in result])
    if clock == 'utc':
        result = _at_utc(result, run.get('started'), folder)
    result.set_close(data.close)
    return result


def _of_component(folder, component, summary):
    """The timeline of this component and run. A file that names neither counts where no other does, by its name."""
    run_id = summary['run'].get('id')
    component_id = next(c.get('id') for c in summary['components'] if c['name'] == component)
    unnamed = None
    for path in sorted(folder.glob('timeline_*.nc')):
        data = _opened(path)
        of_run, of_component = data.attrs.get('run_id'), data.attrs.get('component_id')
        if of_run is not None and of_run == run_id and of_component == component_id:
            return _checked(data, path)
        if of_run is None and path.stem == f'timeline_{component}':
            unnamed = path
        data.close()
    if unnamed is not None:
        return _checked(_opened(unnamed), unnamed)
    raise Error(f'{folder}: no timeline of {component} of the run {run_id}')


def _opened(path):
    try:
        # Seconds stay numbers: model dates may lie beyond the 292 years of timedelta64.
        return xarray.open_dataset(path, engine='netcdf4', decode_times=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise Error(f'{path}: cannot be read: {" ".join(str(error).split())}') from None


def _checked(data, path):
    missing = [name for name in NEEDED if name not in data.variables]
    if missing:
        data.close()
        raise Error(f'{path}: is no timeline of cpl_lb: it has no {", ".join(missing)}')
    return data


def _listed(names):
    """The lists of the global attributes; in a name ',' is %2C and '%' is %25."""
    return [name.replace('%2C', ',').replace('%25', '%') for name in names.split(',')] if names else []


def _names(numbers, names):
    text = indexing.LazilyIndexedArray(_Names(numbers.variable, names))
    return numbers.dims, text, {'long_name': numbers.attrs.get('long_name', '')}


class _Names(BackendArray):
    """A variable of numbers, each of them replaced by its name when it is read."""

    def __init__(self, numbers, names):
        width = max(11, *(len(name) for name in names))  # 11: the longest number, where one has no name
        self.numbers, self.names = numbers, numpy.array(names, f'<U{width}')
        self.shape, self.dtype = numbers.shape, self.names.dtype

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key):
        numbers = numpy.asarray(self.numbers[key])
        named = (numbers >= 0) & (numbers < len(self.names))
        return numpy.where(named, self.names[numpy.where(named, numbers, 0)], numbers.astype(self.dtype))


class _AtUtc(BackendArray):
    """A variable of seconds as moments, when it is read."""

    def __init__(self, seconds, start):
        self.seconds, self.start = seconds, start
        self.shape, self.dtype = seconds.shape, numpy.dtype('datetime64[ns]')

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self._read)

    def _read(self, key):
        seconds = numpy.asarray(self.seconds[key])
        known = numpy.isfinite(seconds)
        nanoseconds = numpy.round(numpy.where(known, seconds, 0) * 1e9).astype('int64').astype('timedelta64[ns]')
        return numpy.where(known, self.start + nanoseconds, numpy.datetime64('NaT', 'ns'))


def _at_utc(data, started, folder):
    if not started:
        raise Error(f"{folder}: the start of the run is not known, so its times in UTC are not")
    start = pandas.Timestamp(started).tz_convert(None).to_datetime64()
    for name in TIMES.intersection(data.variables):
        moments = indexing.LazilyIndexedArray(_AtUtc(data[name].variable, start))
        data[name] = (data[name].dims, moments, {'long_name': data[name].attrs.get('long_name', '')})
    return data
