#include "export/scripts.hpp"

#include "io/result_file.hpp"

#include <fmt/format.h>

namespace cpl_lb {
namespace {

// Names of rasters hold nothing but letters, digits, '_', '.' and '-' (io/result_file.hpp): safe in any script.
std::string list_of(const std::vector<std::string> &names, const char *before, const char *after) {
    std::string list;
    for (const std::string &name : names)
        list += before + name + after;
    return list;
}

std::string python(const std::vector<std::string> &rasters) {
    return R"(#!/usr/bin/env python3
"""Draws what each process did most in each bin of time. Needs xarray, netCDF4 and matplotlib. Writes timeline.png."""
import pathlib

import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
import xarray as xr
from matplotlib.colors import BoundaryNorm, ListedColormap

here = pathlib.Path(__file__).parent
files = [)" +
           list_of(rasters, "'", "', ") +
           R"(]
# Computing, then the kinds UNDF PUT GET MAP OUT READ RST TRN PART ENDF TERM; waiting to receive is orange.
colours = ['#cfd9e3', '#7f8790', '#0072b2', '#d55e00', '#009e73', '#b8508a', '#b8508a', '#8f3a6a', '#8f3a6a',
           '#8c7a00', '#8c7a00', '#9aa4ae']
shades, levels = ListedColormap(colours), BoundaryNorm([k - 1.5 for k in range(13)], 12)
data = [xr.open_dataset(here / name) for name in files]
heights = [max(1, d.sizes['process']) for d in data]
figure, axes = plt.subplots(len(data), sharex=True, squeeze=False, figsize=(12, 2 + 1.5 * len(data)),
                            gridspec_kw={'height_ratios': [max(h, max(heights) / 8) for h in heights]})
used = set()
for axis, d in zip(axes[:, 0], data):
    kinds = d['kind_dominant']
    time = d['elapsed'].values
    half = (time[1] - time[0]) / 2
    axis.imshow(kinds, cmap=shades, norm=levels, aspect='auto', interpolation='nearest',
                extent=(time[0] - half, time[-1] + half, d.sizes['process'] - 0.5, -0.5))
    axis.yaxis.get_major_locator().set_params(integer=True)
    axis.set_ylabel(d.attrs['component_name'][:20], rotation=0, ha='right', parse_math=False)
    used.update(int(k) for k in set(kinds.values.ravel()) if k == k)
names = kinds.attrs['flag_meanings'].split()
figure.legend(handles=[plt.Rectangle((0, 0), 1, 1, color=colours[k + 1], label=names[k + 1]) for k in sorted(used)],
              loc='upper center', ncol=8, frameon=False)
axes[-1, 0].set_xlabel('elapsed time [s]')
figure.savefig(here / 'timeline.png', dpi=150, bbox_inches='tight')
)";
}

std::string ferret(const std::vector<std::string> &rasters) {
    std::string text =
        "! Draws what each process did most: pyferret -nojnl -nodisplay -script ./timeline.jnl, in this folder.\n"
        "! -1 computing, 1 PUT, 2 GET, 3 MAP, 4 OUT, 5 READ, 6 RST, 7 TRN, 8 PART, 9 ENDF, 10 TERM.\n"
        "! Long runs draw faster with a step: /i=1:2048:4\n"
        "set window/aspect=0.5/size=2\n";
    for (std::size_t i = 0; i < rasters.size(); ++i) {
        const std::string stem = rasters[i].substr(0, rasters[i].size() - 3);
        text += fmt::format("use \"{}\"\nshade/lev=(-1.5,10.5,1)/title=\"{}\" kind_dominant[d={}]\n"
                            "frame/file={}.png\n",
                            rasters[i], stem, i + 1, stem);
    }
    return text;
}

std::string ncview(const std::vector<std::string> &rasters) {
    return "#!/bin/sh\n# Shows the rasters: one colour for each kind.\ncd \"$(dirname \"$0\")\"\n"
           "exec ncview -minmax all" +
           list_of(rasters, " ", "") + "\n";
}

} // namespace

std::vector<std::string> write_scripts(const std::string &folder, const std::vector<std::string> &rasters) {
    write_result_file(path_in(folder, "timeline.py"), python(rasters));
    write_result_file(path_in(folder, "timeline.jnl"), ferret(rasters));
    write_result_file(path_in(folder, "ncview.sh"), ncview(rasters));
    return {"timeline.py", "timeline.jnl", "ncview.sh"};
}

} // namespace cpl_lb
