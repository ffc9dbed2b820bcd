// The tables of cpl-lb machine power and joules, read or made of energy, time and work of regions of runs; the output
// as text and json.
#include "projection/tools/energy/energy_output.hpp"

#include "io/files/file_error.hpp"
#include "io/json/json_tree.hpp"
#include "projection/models/loop_model.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

enum class BytesOf : std::uint8_t { program, dram };

double bytes_counted(const RegionWork &region, BytesOf kind) {
    if (kind == BytesOf::program) return region.bytes;
    for (const LevelTraffic &traffic : region.by_level)
        if (traffic.level == "DRAM") return traffic.bytes;
    return unknown;
}

bool is_complete(const RegionWork &region, BytesOf kind) {
    return region.seconds > 0 && region.node_J > 0 && is_known(region.flops) && is_known(bytes_counted(region, kind));
}

std::string what_is_missing(const std::vector<RegionWork> &regions) {
    if (regions.empty()) return "has no regions: the model marks them with cpl_lb_region_begin";
    if (std::ranges::none_of(regions, is_known, &RegionWork::flops))
        return "no region has operations: set cn_counters, or call cpl_lb_assert_expression";
    if (std::ranges::none_of(
            regions, [](double joules) { return joules > 0; }, &RegionWork::node_J))
        return "no region has energy: set ln_energy, and use regions that are longer than a reading of the meter";
    return "no region has operations, bytes and energy at once";
}

void add_regions(EnergyByWork &rows, const std::vector<RegionWork> &regions) {
    const auto complete = [&](BytesOf kind) {
        return std::ranges::count_if(regions, [kind](const RegionWork &r) { return is_complete(r, kind); });
    };
    const BytesOf kind = complete(BytesOf::dram) > complete(BytesOf::program) ? BytesOf::dram : BytesOf::program;
    for (const RegionWork &r : regions) {
        if (!is_complete(r, kind)) continue;
        rows.names.push_back(r.name);
        rows.runs.push_back({r.flops, bytes_counted(r, kind), r.seconds, r.node_J});
    }
    rows.remarks.emplace_back(kind == BytesOf::program ? "Bytes of regions: as the program asks for them."
                                                       : "Bytes of regions: from DRAM.");
    const std::size_t left_out = regions.size() - static_cast<std::size_t>(complete(kind));
    if (left_out > 0)
        rows.remarks.push_back(fmt::format("{} without operations, bytes or energy left out.",
                                           counted(left_out, "region of a run", "regions of runs")));
}

using Json = JsonTree;

constexpr const char *no_check =
    "The fit is not checked: it has as many rows as coefficients. One more row gives a check.\n";

constexpr const char *interval_words =
    "(+-: 95 % interval, Student's t, from the scatter around the fit. There is none "
    "for a coefficient that\n"
    "the fit holds at 0, or if there are as many rows as coefficients)\n";

// Without an interval that is not known.
std::string with_interval(const char *format, double value, double half_width) {
    return fmt::format(fmt::runtime(format), value) +
           (is_known(half_width) ? fmt::format(" +- {:.2g}", half_width) : std::string());
}

std::string domain_text(const EnergyTable &t, const EnergyDomain &d, const std::string &name,
                        const std::string &letters) {
    if (!d.is_known())
        return name + ": n/a, " + (d.why_not.empty() ? "no coefficients and nothing to fit them to" : d.why_not) +
               ".\n\n";
    const std::string full = letters.substr(0, 1), idle = letters.substr(1);
    std::string text =
        fmt::format("{}: power = {} x full + {} x idle, {} = {}, {} = {}; idle {:.4g} W; {}\n{}\n", name, full, idle,
                    full, with_interval("{:.6g}", d.fit.coefficients.full, d.fit.half_width.full), idle,
                    with_interval("{:.6g}", d.fit.coefficients.idle, d.fit.half_width.idle), d.idle_W,
                    d.fitted ? "fitted" : "given", d.fitted ? interval_words : "");
    TextTable table;
    table.row({"threads", "full [W]", "measured [W]", "modelled [W]", "difference [%]", "left out [%]"});
    for (std::size_t r = 0; r < t.threads.size(); ++r) {
        const PowerPoint &given = d.powers[r];
        const double power = d.power_W(r);
        table.row({count_text(t.threads[r]), decimal_text(given.full_W, 2), decimal_text(given.measured_W, 2),
                   decimal_text(power, 2), change_text(100 * (power / given.measured_W - 1), 2),
                   change_text(100 * d.fit.left_out_error[r], 2)});
    }
    text += table.text() + "\n";
    if (d.fitted && !d.fit.is_checked()) text += no_check + std::string("\n");
    return text;
}

struct RowEnergy {
    double package_J, dram_J, total_J, measured_J;
};

RowEnergy energy_of(const EnergyTable &t, std::size_t r) {
    const double seconds = t.seconds[r] * t.nodes;
    RowEnergy e{seconds * t.package.power_W(r), seconds * t.dram.power_W(r), unknown, unknown};
    // If DRAM has no meter at all, its energy is left out and the table says n/a.
    e.total_J = e.package_J + (t.dram.is_known() ? e.dram_J : 0);
    e.measured_J = t.package.measured_J[r];
    if (t.dram.is_known()) e.measured_J += t.dram.measured_J[r];
    return e;
}

std::string energies_text(const EnergyTable &t) {
    TextTable table;
    table.row({"threads", "time [s]", "package [J]", "DRAM [J]", "total [J]", "measured [J]", "difference [%]"});
    std::size_t best = 0;
    for (std::size_t r = 0; r < t.threads.size(); ++r) {
        const RowEnergy e = energy_of(t, r);
        if (!(energy_of(t, best).total_J <= e.total_J)) best = r;
        table.row({count_text(t.threads[r]), Decimal{t.seconds[r]}, decimal_text(e.package_J, 2),
                   decimal_text(e.dram_J, 2), decimal_text(e.total_J, 2), decimal_text(e.measured_J, 2),
                   change_text(100 * (e.total_J / e.measured_J - 1), 2)});
    }
    std::string text =
        fmt::format("Energy to solution on {:g} {}\n\n", t.nodes, word_for(t.nodes, "node")) + table.text();
    if (is_known(energy_of(t, best).total_J))
        text += fmt::format("\nLeast energy: {}, {} J in {} s.\n", counted(t.threads[best], "thread", "threads"),
                            decimal_text(energy_of(t, best).total_J, 2), number_text(t.seconds[best]));
    return text;
}

Json domain_as_json(const EnergyTable &t, const EnergyDomain &d, const char *full, const char *idle) {
    Json one = {{full, d.fit.coefficients.full},
                {idle, d.fit.coefficients.idle},
                {"half_width_95", {{full, d.fit.half_width.full}, {idle, d.fit.half_width.idle}}},
                {"idle_W", d.idle_W},
                {"fitted", d.fitted},
                {"checked", d.fitted && d.fit.is_checked()},
                {"why_not", Json::text(d.why_not)}};
    for (std::size_t r = 0; r < t.threads.size(); ++r) {
        one["rows"].push_back({{"threads", t.threads[r]},
                               {"full_W", d.powers[r].full_W},
                               {"measured_W", d.powers[r].measured_W},
                               {"modelled_W", d.power_W(r)},
                               {"error", d.fit.error[r]},
                               {"left_out_error", d.fit.left_out_error[r]}});
    }
    return one;
}

} // namespace

EnergyByWork energy_by_work(const std::vector<std::string> &sources, const CoresAtWork &said) {
    EnergyByWork rows;
    std::vector<RegionWork> regions;
    for (const std::string &source : sources) {
        if (!is_run(source)) {
            read_energy_runs(source, rows);
            continue;
        }
        for (RegionWork &work : work_in(run_of(source), said, WorkFor::models).regions) {
            if (work.name.ends_with(": coupling loop")) continue;
            work.name = source + " " + work.name;
            regions.push_back(std::move(work));
        }
    }
    const bool any_run = std::ranges::any_of(sources, is_run);
    if (any_run) add_regions(rows, regions);
    const std::string where = first_of(sources);
    if (rows.runs.empty()) throw FileError(where, what_is_missing(regions));
    try {
        rows.fit = fit_work_energy(rows.runs);
    } catch (const ProjectionError &error) {
        throw FileError(where, error.what());
    }
    return rows;
}

double EnergyDomain::power_W(std::size_t row) const {
    return modelled_power_W(fit.coefficients, powers[row].full_W, idle_W);
}

void EnergyDomain::add(const PowerPoint &power, double joules) {
    powers.push_back(power);
    measured_J.push_back(joules);
    fit.error.push_back(unknown);
    fit.left_out_error.push_back(unknown);
}

EnergyTable read_energy_table(const std::string &path) {
    const CsvTable csv = CsvTable::from_file(path);
    csv.require({"threads"});
    EnergyTable table;
    for (std::size_t row = 0; row < csv.rows(); ++row) {
        const double threads = csv.not_negative(row, "threads");
        if (threads != std::floor(threads) || threads > 1e6)
            throw csv.wrong(row, "threads", "not a whole number up to 1e6: " + csv.text(row, "threads"));
        const PowerPoint package{csv.known_or_nan(row, "package_W"), csv.known_or_nan(row, "measured_package_W")};
        const PowerPoint dram{csv.known_or_nan(row, "dram_W"), csv.known_or_nan(row, "measured_dram_W")};
        for (const auto &[value, column] :
             {std::pair{package.full_W, "package_W"}, std::pair{package.measured_W, "measured_package_W"},
              std::pair{dram.full_W, "dram_W"}, std::pair{dram.measured_W, "measured_dram_W"}}) {
            if (value == 0)
                throw csv.wrong(row, column, "zero power; leave the cell empty where it was not measured");
            if (value > 1e5) throw csv.wrong(row, column, "more than 1e5; was it given in mW?");
        }
        if (threads == 0) {
            table.package.idle_W = package.full_W;
            table.dram.idle_W = dram.full_W;
            continue;
        }
        table.threads.push_back(static_cast<int>(threads));
        table.seconds.push_back(csv.known_or_nan(row, "seconds"));
        table.package.add(package, csv.known_or_nan(row, "measured_package_J"));
        table.dram.add(dram, csv.known_or_nan(row, "measured_dram_J"));
    }
    if (table.threads.empty()) throw FileError(path, "no row with threads at work");
    return table;
}

std::string energy_as_text(const EnergyTable &t) {
    std::string text = domain_text(t, t.package, "Package", "US") + domain_text(t, t.dram, "DRAM", "XY");
    if (t.package.fit.is_checked())
        text += "Left out: the error of each row if the coefficients are fitted to the other rows only.\n\n";
    const bool timed = std::ranges::any_of(t.seconds, is_known);
    return timed ? text + energies_text(t) : text + "Energy: n/a, the table has no column seconds.\n";
}

std::string energy_as_json(const EnergyTable &t) {
    Json root = {{"nodes", t.nodes},
                 {"package", domain_as_json(t, t.package, "U", "S")},
                 {"dram", domain_as_json(t, t.dram, "X", "Y")}};
    for (std::size_t r = 0; r < t.threads.size(); ++r) {
        const RowEnergy e = energy_of(t, r);
        root["energy"].push_back({{"threads", t.threads[r]},
                                  {"seconds", t.seconds[r]},
                                  {"package_J", e.package_J},
                                  {"dram_J", e.dram_J},
                                  {"total_J", e.total_J},
                                  {"measured_J", e.measured_J}});
    }
    return root.dump(2) + "\n";
}

void read_energy_runs(const std::string &path, EnergyByWork &rows) {
    const CsvTable csv = CsvTable::from_file(path);
    csv.require({"flops", "bytes", "seconds", "joules"});
    for (std::size_t row = 0; row < csv.rows(); ++row) {
        rows.names.push_back(count_text(static_cast<std::int64_t>(rows.runs.size() + 1)));
        rows.runs.push_back({csv.not_negative(row, "flops"), csv.not_negative(row, "bytes"),
                             csv.positive(row, "seconds"), csv.positive(row, "joules")});
    }
}

std::string work_energy_as_text(const EnergyByWork &rows) {
    const WorkEnergy &e = rows.fit.coefficients;
    TextTable table;
    table.row({"run", "time [s]", "measured [J]", "modelled [J]", "difference [%]", "left out [%]"});
    for (std::size_t r = 0; r < rows.runs.size(); ++r) {
        table.row({short_name(rows.names[r], 50), Decimal{rows.runs[r].seconds}, decimal_text(rows.runs[r].joules, 2),
                   decimal_text(work_energy_J(e, rows.runs[r]), 2), change_text(100 * rows.fit.error[r], 2),
                   change_text(100 * rows.fit.left_out_error[r], 2)});
    }
    const WorkEnergy &half = rows.fit.half_width;
    std::string text = "Energy = ";
    text += is_known(e.J_per_flop) ? with_interval("{:.4g}", e.J_per_flop, half.J_per_flop) + " J per flop, "
                                   : "n/a per flop (no run has any), ";
    text += is_known(e.J_per_B) ? with_interval("{:.4g}", e.J_per_B, half.J_per_B) + " J per byte, "
                                : "n/a per byte (no run has any), ";
    text += with_interval("{:.4g}", e.constant_W, half.constant_W) + " W all the time\n" + interval_words +
            std::string("\n") + table.text() + "\n";
    for (const std::string &remark : rows.remarks)
        text += remark + "\n";
    return text + (rows.fit.is_checked()
                       ? "Left out: the error of each run if the coefficients are fitted to the other runs only.\n"
                       : no_check);
}

std::string work_energy_as_json(const EnergyByWork &rows) {
    const WorkEnergy &e = rows.fit.coefficients, &half = rows.fit.half_width;
    Json root = {{"J_per_flop", e.J_per_flop},
                 {"J_per_B", e.J_per_B},
                 {"constant_W", e.constant_W},
                 {"half_width_95",
                  {{"J_per_flop", half.J_per_flop}, {"J_per_B", half.J_per_B}, {"constant_W", half.constant_W}}},
                 {"checked", rows.fit.is_checked()},
                 {"remarks", rows.remarks}};
    for (std::size_t r = 0; r < rows.runs.size(); ++r) {
        root["runs"].push_back({{"run", rows.names[r]},
                                {"flops", rows.runs[r].flop},
                                {"bytes", rows.runs[r].moved_B},
                                {"seconds", rows.runs[r].seconds},
                                {"measured_J", rows.runs[r].joules},
                                {"modelled_J", work_energy_J(e, rows.runs[r])},
                                {"error", rows.fit.error[r]},
                                {"left_out_error", rows.fit.left_out_error[r]}});
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
