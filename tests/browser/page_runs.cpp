// Writes the timelines of made-up runs for the tests of the page: page_runs KIND FOLDER [PROCESSES EVENTS]
#include "analysis/decomposition.hpp"
#include "analysis/kind_raster.hpp"
#include "data/raster.hpp"
#include "io/files/result_file.hpp"
#include "io/timeline/timeline_writer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace cpl_lb;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

struct Shape {
    std::int64_t processes = 2, events = 10;
    Nanoseconds step = second; // between two events of a process
    bool slower_later = false; // from the middle on four steps lie between two events
    bool map = false;          // the first component has 8 x 5 blocks of a grid, and figures of its processes
    bool pieces = false;       // the same, with parts in pieces
    bool partly_seen = false;  // the first component has MPI recorded, of the second only the first process couples
};

std::int64_t steps_before(std::int64_t event, const Shape &shape) {
    return event + (shape.slower_later ? 3 * std::max<std::int64_t>(event - shape.events / 2, 0) : 0);
}

TimelineHeader header_of(const std::vector<std::string> &names, std::size_t which, const Shape &shape) {
    TimelineHeader header;
    header.component_name = names[which];
    header.component_id = static_cast<std::int32_t>(which + 1);
    header.component_names = names;
    header.field_names = {"T & \"S\" <b>", "flux"};
    header.run_id = "made up <i>";
    header.simulated_s = 86400;
    header.year_days = 365;
    header.clock_error_bound_s = 1e-6;
    header.first_init = 0;
    header.last_terminate = (steps_before(shape.events, shape) + 1) * shape.step;
    if (which == 0) header.run_end = header.last_terminate; // the others are like those of older versions
    header.mpi_inside = shape.partly_seen;
    header.processes = shape.processes;
    for (std::int64_t p = 0; p < shape.processes; ++p)
        header.ranks.push_back(static_cast<std::int32_t>(p) + static_cast<std::int32_t>(which) * 100'000);
    return header;
}

// Process p of the ocean has a block of 15 x 15 points of a grid of 120 x 75, 8 in a row. Those at the southern edge
// compute longest, process 19 is late, and the region "sea ice" is in the north only. The atmosphere tells no parts.
ProcessFigures figures_of(std::size_t which, std::int64_t processes) {
    ProcessFigures figures;
    figures.regions = {{which == 0 ? "dynamics" : "radiation", {}}, {"sea ice <b>", {}}};
    if (which != 0) figures.regions.pop_back();
    for (std::int64_t p = 0; p < processes; ++p) {
        const std::int64_t i = p % 8, j = p / 8;
        const auto latitude = static_cast<double>(j);
        figures.computing_s.push_back(which == 0 ? 10 - latitude : 5);
        figures.late_s.push_back(p == 19 ? 0.2 : 0.01);
        figures.memory_B.push_back(1e9 + 1e6 * static_cast<double>(p));
        figures.regions[0].seconds.push_back(4);
        if (which != 0) continue;
        figures.regions[1].seconds.push_back(j == 4 ? 3 : 0);
        figures.parts.push_back({{120, 15 * ((processes + 7) / 8)}, 225, {{{15 * i + 1, 15 * j + 1}, {15, 15}}}});
    }
    // Runs with many processes also get as many regions as a timeline has, with times that do not pack well.
    std::mt19937 random(7);
    while (processes > 40 && figures.regions.size() < most_region_times) {
        RegionTimes &more = figures.regions.emplace_back(RegionTimes{"region " + std::to_string(random()), {}});
        for (std::int64_t p = 0; p < processes; ++p)
            more.seconds.push_back(static_cast<double>(random() % 1000) / 1000);
    }
    return figures;
}

// Process p of the ocean has rows p + 1 and p + 1 + the number of processes, and of the atmosphere, on a grid of 100
// columns, every so many of 40 rows for each process: more than a process keeps.
void give_pieces(ProcessFigures &figures, std::size_t which, std::int64_t processes) {
    const std::int64_t rows = which == 0 ? 2 : 40, columns = which == 0 ? 120 : 100;
    const auto count = static_cast<std::size_t>(processes);
    figures.parts.assign(count, {{columns, rows * processes}, rows * columns, {}});
    for (std::int64_t p = 0; p < processes; ++p) {
        std::vector<GridPiece> mine;
        for (std::int64_t row = 0; row < rows; ++row)
            mine.push_back({{1, p + 1 + row * processes}, {columns, 1}});
        figures.parts[static_cast<std::size_t>(p)].pieces = grouped(mine, most_pieces);
    }
}

// Event k starts near (k + 1) steps and takes a quarter of a step, give or take; GET and PUT in turn, one date for
// both.
void write(const std::string &folder, const std::vector<std::string> &names, std::size_t which, const Shape &shape) {
    TimelineHeader header = header_of(names, which, shape);
    const auto other = static_cast<std::int32_t>(names.size() > 1 ? (which == 0 ? 2 : 1) : 0);
    for (std::int64_t k = 0; k < shape.events; ++k) {
        // What one gets the other puts.
        const auto field = static_cast<std::int32_t>((k + static_cast<std::int64_t>(which)) % 2 + 1);
        header.keys.push_back({k % 2 == 0 ? Kind::get : Kind::put, field, other, 3600 * (k / 2), 0});
    }
    const std::vector<std::string> stems = file_stems(names);
    TimelineWriter writer(path_in(folder, timeline_file_name(stems[which])), header, false);
    std::mt19937 random(static_cast<unsigned>(which + 1));
    std::uniform_real_distribution<double> spread(-0.1, 0.1);
    std::vector<Nanoseconds> start(static_cast<std::size_t>(shape.events));
    std::vector<Nanoseconds> stop(start.size());
    for (std::int64_t p = 0; p < shape.processes; ++p) {
        for (std::size_t k = 0; k < start.size(); ++k) {
            const auto step = static_cast<double>(shape.step);
            const auto before = static_cast<double>(steps_before(static_cast<std::int64_t>(k), shape));
            start[k] = static_cast<Nanoseconds>((before + 1 + spread(random)) * step);
            stop[k] = start[k] + static_cast<Nanoseconds>((0.25 + spread(random)) * step);
        }
        if (shape.partly_seen && which == 1 && p > 0) {
            std::fill(start.begin(), start.end(), absent);
            std::fill(stop.begin(), stop.end(), absent);
        }
        if (shape.events > 0) writer.write_rows(p, 1, start, stop);
        if (which != 0) continue;
        std::vector<signed char> raster =
            kind_raster({start, stop, {}}, header.keys, {0, header.run_end}, header.run_end);
        // In the first third of the run all that the events leave is in MPI.
        for (std::size_t b = 0; shape.partly_seen && b < raster_bins; ++b)
            raster.push_back(b < raster_bins / 3 && raster[b] == raster_computing ? 100 : 0);
        writer.write_raster(p, raster);
    }
    if (shape.map) {
        ProcessFigures figures = figures_of(which, shape.processes);
        if (shape.pieces) give_pieces(figures, which, shape.processes);
        writer.write_figures(figures);
    }
    writer.close();
}

void write_all(const std::string &folder, const std::vector<std::string> &names, const Shape &shape) {
    for (std::size_t which = 0; which < names.size(); ++which)
        write(folder, names, which, shape);
}

} // namespace

int main(int argc, char **argv) {
    if (argc != 3 && argc != 5) return 2;
    const std::string kind = argv[1];
    const std::string folder = argv[2];
    create_directory(folder);
    if (kind == "names") {
        write_all(folder, {"<script>alert(1)</script>", "a&b \"c\" </script><!-- \xE2\x80\xA8 %2C,;'`"},
                  {2, 12, second});
    } else if (kind == "partly-seen") {
        write_all(folder, {"recorded", "coupled by its first"}, {.events = 12, .partly_seen = true});
    } else if (kind == "map") {
        const std::int64_t processes = argc == 5 ? std::atoll(argv[3]) / 2 : 40;
        const std::int64_t events = argc == 5 ? std::atoll(argv[4]) : 20;
        write_all(folder, {"ocean", "atmosphere"}, {.processes = processes, .events = events, .map = true});
    } else if (kind == "pieces") {
        const std::int64_t processes = argc == 5 ? std::atoll(argv[3]) / 2 : 4;
        const std::int64_t events = argc == 5 ? std::atoll(argv[4]) : 20;
        write_all(folder, {"ocean", "atmosphere"},
                  {.processes = processes, .events = events, .map = true, .pieces = true});
    } else if (kind == "changing") {
        write_all(folder, {"ocean", "atmosphere"}, {.events = 80, .slower_later = true});
    } else if (kind == "one-process") {
        write_all(folder, {"alone"}, {1, 7, second});
    } else if (kind == "no-events") {
        write_all(folder, {"silent", "quiet"}, {3, 0, second});
    } else if (kind == "many-components") {
        std::vector<std::string> names(1000);
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] = "component " + std::to_string(i);
        write_all(folder, names, {2, 8, second});
    } else if (kind == "twelve") { // with names that are longer than usual
        std::vector<std::string> names(12);
        for (std::size_t i = 0; i < names.size(); ++i)
            names[i] = "ocean and sea ice " + std::to_string(i) + std::string(2 * i, 'x');
        write_all(folder, names, {4, 40, second});
    } else if (kind == "long") { // 10^6 s
        write_all(folder, {"ocean", "atmosphere"}, {2, 999, 1000 * second});
    } else if (kind == "size" && argc == 5) { // two components share the processes; 10 ms steps
        write_all(folder, {"ocean", "atmosphere"}, {std::atoll(argv[3]) / 2, std::atoll(argv[4]), second / 100});
    } else {
        std::fprintf(stderr, "page_runs: unknown kind %s\n", kind.c_str());
        return 2;
    }
    return 0;
}
