// Writes kind_dominant and the coupling steps into raster_<component>.nc, while the rows come. Below, the text of the
// Python, Ferret and ncview scripts, with the files of the run put in.
#include "export/raster.hpp"

#include "analysis/kind_raster.hpp"
#include "data/kinds.hpp"
#include "export/event_sink.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/raster_variables.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cpl_lb/version.h>
#include <cstdint>
#include <optional>

namespace cpl_lb {
namespace {

int create(const ResultFile &file) {
    int id = -1;
    const int status = nc_create(file.open_as().c_str(), NC_CLOBBER | NC_64BIT_OFFSET, &id);
    if (status != NC_NOERR) throw FileError(file.path(), std::string("cannot create: ") + nc_strerror(status));
    return id;
}

void put_text(const NetcdfFile &file, const char *name, const std::string &value) {
    file.check(nc_put_att_text(file.id(), NC_GLOBAL, name, value.size(), value.data()), "cannot write an attribute");
}

class RasterSink final : public EventSink {
public:
    RasterSink(std::string folder, const CoupledRun &run) : folder_(std::move(folder)), run_(run) {
        for (const Component &c : run_.components)
            end_ = std::max(end_, c.last_terminate);
    }

    void row(const Component &component, std::int64_t process, const Row &row) override {
        if (!file_ || file_->component != &component) {
            finish();
            open(component);
        }
        const Interval running{component.first_init, component.last_terminate};
        write_raster_row(file_->netcdf, file_->kinds, file_->shape, process,
                         kind_raster(row, component.table.keys, running, end_));
    }
    void finish() override {
        if (!file_) return;
        append_steps(file_->netcdf, file_->component->balance);
        file_->netcdf.close();
        file_->result.commit();
        files_.push_back(file_->result.path().substr(file_->result.path().rfind('/') + 1));
        file_.reset();
    }
    [[nodiscard]] const std::vector<std::string> &files() const { return files_; } // names in the folder

private:
    // Of the component whose rows come.
    struct OpenFile {
        OpenFile(const std::string &path, const Component &c)
            : component(&c), result(path), netcdf(create(result), path) {}
        const Component *component;
        ResultFile result;
        NetcdfFile netcdf;
        int kinds = -1;
        RasterShape shape;
    };

    void open(const Component &component) {
        const std::vector<std::string> stems = file_stems(run_.component_names);
        const std::string name = "raster_" + stems[static_cast<std::size_t>(component.id) - 1] + ".nc";
        file_.emplace(path_in(folder_, name), component);
        const NetcdfFile &file = file_->netcdf;
        RasterShape &shape = file_->shape;
        shape.processes = std::max<std::int64_t>(static_cast<std::int64_t>(component.ranks.size()), 1);
        shape.rows_of_each = (fewest_rows + shape.processes - 1) / shape.processes;
        shape.key_rows = raster_key_rows;
        file_->kinds = define_raster(file, shape);
        put_text(file, "title", component.name + ": what each process did most");
        put_text(file, "Conventions", "CF-1.8");
        put_text(file, "component_name", component.name);
        put_text(file, "run_id", run_.run.id);
        put_text(file, "cpl_lb_version", CPL_LB_VERSION);
        file.check(nc__enddef(file.id(), room_for_steps_bytes, 4, 0, 4), "cannot end the header");
        write_raster_axes(file, shape, end_);
        write_raster_key(file, file_->kinds, shape);
    }

    std::string folder_;
    const CoupledRun &run_;
    Nanoseconds end_ = 1; // of the run
    std::optional<OpenFile> file_;
    std::vector<std::string> files_;
};

} // namespace

std::vector<std::string> write_rasters(const std::string &folder, const CoupledRun &run,
                                       const std::vector<std::string> &timelines, const Progress &progress) {
    RasterSink sink(folder, run);
    export_events(run, timelines, {}, sink, progress);
    return sink.files();
}

namespace {

// Names of results hold nothing but letters, digits, '_', '.' and '-' (io/files/result_file.hpp): safe in any script.
std::string list_of(const std::vector<std::string> &names, const char *before, const char *after) {
    std::string list;
    for (const std::string &name : names)
        list += before + name + after;
    return list;
}

// Outside the coupler (computing, MPI, files), then the kinds by number. PUT, GET, MAP and SYNC have colours that
// most colour-blind people tell apart.
struct Shown {
    std::uint32_t colour;
    const char *words;
};
constexpr std::array<Shown, kind_count + 1> shown = {{{0xcfd9e3, "outside the coupler"},
                                                      {0x7f8790, "UNDF: undefined"},
                                                      {0x0072b2, "PUT: send"},
                                                      {0xd55e00, "GET: receive, wait"},
                                                      {0x009e73, "MAP: mapping"},
                                                      {0xb8508a, "OUT: field to file"},
                                                      {0xb8508a, "READ: field from file"},
                                                      {0x8f3a6a, "RST: restart"},
                                                      {0x8f3a6a, "TRN: partial restart"},
                                                      {0x8c7a00, "PART: partition"},
                                                      {0x8c7a00, "ENDF: end of definition"},
                                                      {0x9aa4ae, "TERM: terminate"},
                                                      {0xe69f00, "SYNC: collective"}}};

// The waiting of an I/O server, which nobody waits for: as in the page.
constexpr Shown idle = {0x9299a0, "GET of an I/O server: idle"};
constexpr std::size_t place_of_get = 1 + static_cast<std::size_t>(Kind::get);

std::string python(const std::vector<std::string> &names, const std::vector<std::string> &idle_names) {
    std::string colours;
    std::string words;
    for (const Shown &s : shown) {
        colours += fmt::format("'#{:06x}', ", s.colour);
        words += fmt::format("    '{}',\n", s.words);
    }
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
# Computing, then the kinds by number.
colours = [)" +
           colours + R"(]
words = [
)" + words +
           R"(]
# I/O servers: nobody waits for what they wait for.
idle_files = [)" +
           list_of(idle_names, "'", "', ") +
           fmt::format("]\nidle, idle_words, get = '#{:06x}', '{}', {}\n", idle.colour, idle.words, place_of_get) +
           R"(idle_colours = colours[:get] + [idle] + colours[get + 1:]
levels = BoundaryNorm([k - 1.5 for k in range(14)], 13)


def opened(name):
    d = xr.open_dataset(here / name)
    return d.isel(process=slice(0, d.sizes['process'] - d['kind_dominant'].attrs.get('key_rows', 0)))


data = [opened(name) for name in files]
half_row = [0.5 / round(1 / (p[1] - p[0])) if len(p) > 1 else 0.5 for p in (d['process'].values for d in data)]
heights = [d['process'].values[-1] + 1 for d in data]
figure, axes = plt.subplots(len(data), sharex=True, squeeze=False, figsize=(12, 2 + 1.5 * len(data)),
                            gridspec_kw={'height_ratios': [max(h, max(heights) / 8) for h in heights]})
used = set()
for name, axis, d, half_high in zip(files, axes[:, 0], data, half_row):
    kinds = d['kind_dominant']
    time = d['elapsed'].values
    process = d['process'].values
    half = (time[1] - time[0]) / 2
    mine = idle_colours if name in idle_files else colours
    axis.imshow(kinds, cmap=ListedColormap(mine), norm=levels, aspect='auto', interpolation='nearest',
                extent=(time[0] - half, time[-1] + half, process[-1] + half_high, process[0] - half_high))
    axis.yaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axis.set_ylabel(d.attrs['component_name'][:20] + '\nprocess', rotation=0, ha='right', va='center', parse_math=False)
    for k in sorted({int(k) for k in set(kinds.values.ravel()) if k == k}):
        is_idle = name in idle_files and k + 1 == get
        used.add((k, mine[k + 1], idle_words if is_idle else words[k + 1]))
axes[0, 0].legend(handles=[plt.Rectangle((0, 0), 1, 1, color=c, label=label) for _, c, label in sorted(used)],
                  loc='upper left', bbox_to_anchor=(1.01, 1), frameon=False)
axes[0, 0].set_title('What each process did most; white: not running. Run ' + data[0].attrs['run_id'], parse_math=False)
axes[-1, 0].set_xlabel('time since the start of the run [s]')
figure.savefig(here / 'timeline.png', dpi=150, bbox_inches='tight')
)";
}

// Ferret looks for it where the script names it.
std::string ferret_palette(bool of_io_server) {
    std::string text =
        "! Computing, then the kinds by number: per cent of red, green and blue.\nRGB_Mapping By_level\n\n";
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::uint32_t colour = of_io_server && i == place_of_get ? idle.colour : shown[i].colour;
        const auto percent = [&](int shift) { return ((colour >> shift) & 255U) * 100.0 / 255.0; };
        text += fmt::format("{} {:.1f} {:.1f} {:.1f}\n", i + 1, percent(16), percent(8), percent(0));
    }
    return text;
}

// Names with "./": Debian's Ferret does not look into the folder where it is started. Lengths are inches.
std::string ferret_picture(const std::string &file, std::size_t number, bool of_io_server) {
    const std::string stem = file.substr(0, file.size() - 3);
    const bool with_key = file.starts_with("raster_"); // which is for viewers without a legend
    const std::string rows = with_key ? fmt::format(",j=1:`($end)-{}`", raster_key_rows) : std::string();
    // @AS: a font in which an underscore is no command.
    std::string text = fmt::format(
        "use \"./{0}\"\ndefine symbol end `kind_dominant[d={1}],return=jend`\n"
        "let rows = y[gy=kind_dominant[d={1}]{2}]\nlet last = `int(rows[y=@max]+0.5)`\n"
        "shade/set_up/nolabel/palette=\"./timeline{4}\"/lev=(-1.5,11.5,1)/ylim=`last+0.5`:-0.5:`-1-int(last/8)` "
        "kind_dominant[d={1}{2}]\n"
        "ppl axlen 9.2,4.5\nppl shakey 1,1,0.0001,100,,,10.6,10.9,1.4,5.9\nppl yfor (i7)\nppl axlint 2,1\n"
        "ppl title\nppl xlab time since the start of the run (s)\nppl ylab process\nppl shade\n"
        "label/nouser 4.6,4.75,0,0,0.18 \"@AS{3}: what each process did most\"\n",
        file, number, rows, stem.substr(stem.find('_') + 1, 40), of_io_server ? "_idle" : "");
    for (std::size_t i = 0; i < shown.size(); ++i) {
        text += fmt::format("label/nouser 9.85,{:.2f},-1,0,0.11 \"{}\"\n",
                            (static_cast<double>(i) + 0.5) * 4.5 / static_cast<double>(shown.size()) - 0.04,
                            of_io_server && i == place_of_get ? idle.words : shown[i].words);
    }
    return text + fmt::format("frame/file={}.png\n", stem);
}

std::string ferret(const std::vector<std::string> &names, const std::vector<std::string> &idle_names) {
    std::string text =
        "! Draws what each process did most: pyferret -nojnl -nodisplay -script ./timeline.jnl, in this folder.\n"
        "! Long runs draw faster with a step: kind_dominant[d=1,i=1:2048:4]\n"
        "set window/aspect=0.5/size=2\n";
    for (std::size_t i = 0; i < names.size(); ++i)
        text += ferret_picture(names[i], i + 1, std::ranges::find(idle_names, names[i]) != idle_names.end());
    return text;
}

std::string ncview(const std::vector<std::string> &names) {
    return "#!/bin/sh\n# A window of ncview for each component. The bar beside the processes has -1 (outside the "
           "coupler) to "
           "11 from "
           "left to right:\n# with it each kind has one colour in all windows.\ncd \"$(dirname \"$0\")\"\n"
           "echo 'ncview: choose kind_dominant in each window.'\nfor file "
           "in" +
           list_of(names, " ", "") + "; do\n  ncview -no1d -repl -shrink_mode -minmax all \"$file\" &\ndone\nwait\n";
}

} // namespace

std::vector<std::string> write_scripts(const std::string &folder, const ScriptFiles &files) {
    std::vector<std::string> names;
    const auto write = [&](const char *name, const std::string &text) {
        write_result_file(path_in(folder, name), text);
        names.emplace_back(name);
    };
    write("timeline.py", python(files.plots, files.idle));
    write("timeline.jnl", ferret(files.plots, files.idle));
    write("timeline.spk", ferret_palette(false));
    if (!files.idle.empty()) write("timeline_idle.spk", ferret_palette(true));
    write("ncview.sh", ncview(files.ncview));
    return names;
}

} // namespace cpl_lb
