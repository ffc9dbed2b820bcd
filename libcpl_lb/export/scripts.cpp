// The text of the Python, Ferret and ncview scripts, with the files of the run put in.
#include "export/scripts.hpp"

#include "io/files/result_file.hpp"
#include "support/fmt.hpp"

namespace cpl_lb {
namespace {

// Names of results hold nothing but letters, digits, '_', '.' and '-' (io/files/result_file.hpp): safe in any script.
std::string list_of(const std::vector<std::string> &names, const char *before, const char *after) {
    std::string list;
    for (const std::string &name : names)
        list += before + name + after;
    return list;
}

std::string python(const std::vector<std::string> &names) {
    return R"(#!/usr/bin/env python3
"""Draws what each process did most in each bin of time. Needs xarray, netCDF4 and matplotlib. Writes timeline.png."""
import pathlib

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
import xarray as xr
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.ticker import MaxNLocator

here = pathlib.Path(__file__).parent
files = [)" +
           list_of(names, "'", "', ") +
           R"(]
# Computing, then the kinds UNDF PUT GET MAP OUT READ RST TRN PART ENDF TERM SYNC; waiting to receive is orange.
colours = ['#cfd9e3', '#7f8790', '#0072b2', '#d55e00', '#009e73', '#b8508a', '#b8508a', '#8f3a6a', '#8f3a6a',
           '#8c7a00', '#8c7a00', '#9aa4ae', '#e69f00']
shades, levels = ListedColormap(colours), BoundaryNorm([k - 1.5 for k in range(14)], 13)
data = [xr.open_dataset(here / name) for name in files]
half_row = [0.5 / round(1 / (p[1] - p[0])) if len(p) > 1 else 0.5 for p in (d['process'].values for d in data)]
heights = [d['process'].values[-1] + 1 for d in data]
figure, axes = plt.subplots(len(data), sharex=True, squeeze=False, figsize=(12, 2 + 1.5 * len(data)),
                            gridspec_kw={'height_ratios': [max(h, max(heights) / 8) for h in heights]})
used = set()
for axis, d, half_high in zip(axes[:, 0], data, half_row):
    kinds = d['kind_dominant']
    time = d['elapsed'].values
    process = d['process'].values
    half = (time[1] - time[0]) / 2
    axis.imshow(kinds, cmap=shades, norm=levels, aspect='auto', interpolation='nearest',
                extent=(time[0] - half, time[-1] + half, process[-1] + half_high, process[0] - half_high))
    axis.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axis.set_ylabel(d.attrs['component_name'][:20], rotation=0, ha='right', parse_math=False)
    used.update(int(k) for k in set(kinds.values.ravel()) if k == k)
names = kinds.attrs['flag_meanings'].split()
figure.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=colours[k + 1], label=names[k + 1]) for k in sorted(used)],
              loc='upper center', ncol=8, frameon=False)
axes[-1, 0].set_xlabel('elapsed time [s]')
figure.savefig(here / 'timeline.png', dpi=150, bbox_inches='tight')
)";
}

std::string ferret(const std::vector<std::string> &names) {
    std::string text =
        "! Draws what each process did most: pyferret -nojnl -nodisplay -script ./timeline.jnl, in this folder.\n"
        "! Long runs draw faster with a step: kind_dominant[d=1,i=1:2048:4]\n"
        "set window/aspect=0.5/size=2\n";
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string stem = names[i].substr(0, names[i].size() - 3);
        text += fmt::format("use \"{}\"\nshade/set_up/nolabel/lev=(-1.5,11.5,1) kind_dominant[d={}]\n"
                            "ppl title {}: -1 computing, 1 PUT, 2 GET, 3 MAP, 4 OUT, 5 READ, 6 RST, 7 TRN, 8 PART, "
                            "9 ENDF, 10 TERM, 11 SYNC\n"
                            "ppl xlab elapsed time (s)\nppl ylab process\nppl shade\nframe/file={}.png\n",
                            names[i], i + 1, stem.substr(stem.find('_') + 1), stem);
    }
    return text;
}

std::string ncview(const std::vector<std::string> &names) {
    return "#!/bin/sh\n# A window of ncview for each component. In one that lists several variables choose "
           "kind_dominant.\ncd \"$(dirname \"$0\")\"\nfor file in" +
           list_of(names, " ", "") + "; do\n  ncview -no1d -repl -shrink_mode -minmax all \"$file\" &\ndone\nwait\n";
}

} // namespace

std::vector<std::string> write_scripts(const std::string &folder, const ScriptFiles &files) {
    write_result_file(path_in(folder, "timeline.py"), python(files.plots));
    write_result_file(path_in(folder, "timeline.jnl"), ferret(files.plots));
    write_result_file(path_in(folder, "ncview.sh"), ncview(files.ncview));
    return {"timeline.py", "timeline.jnl", "ncview.sh"};
}

} // namespace cpl_lb
