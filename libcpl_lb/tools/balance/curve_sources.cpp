// --curves, --serial, --without, and runs of one model.
#include "tools/balance/curve_sources.hpp"

#include "io/files/csv_table.hpp"
#include "prediction/run_balance.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/commands.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace cpl_lb {

SamplesByComponent read_curves(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"component", "processes", "seconds"});
    SamplesByComponent samples;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        ScalingSample s{table.positive(row, "processes"), table.positive(row, "seconds")};
        if (s.processes > 1e9) throw table.wrong(row, "processes", "more than 1e9");
        if (s.seconds > 1e12) throw table.wrong(row, "seconds", "more than 1e12");
        if (table.has("threads")) {
            const double threads = table.positive(row, "threads");
            if (threads > 1e6 || threads != std::floor(threads))
                throw table.wrong(row, "threads", "no whole number from 1 to 1e6");
            s.threads = static_cast<std::int64_t>(threads);
            s.processes *= threads;
        }
        samples[table.text(row, "component")].push_back(s);
    }
    return samples;
}

void replace_samples(SamplesByComponent &samples, const std::string &path, const std::vector<std::string> &names) {
    for (auto &[name, list] : read_curves(path)) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            std::string known;
            for (const std::string &component : names)
                known += (known.empty() ? "" : ", ") + component;
            throw PredictionError(path + ": there is no component '" + name + "'; there are " + known);
        }
        samples[name] = list;
    }
}

void check_threads(const std::string &component, std::int64_t threads, std::int64_t now,
                   const std::vector<CurveOfThreads> &others) {
    std::set<std::int64_t> measured = {now};
    for (const CurveOfThreads &other : others)
        measured.insert(other.threads);
    if (measured.contains(threads)) return;
    std::vector<std::string> had;
    had.reserve(measured.size());
    for (const std::int64_t each : measured)
        had.push_back(std::to_string(each));
    throw PredictionError(
        fmt::format("no run or table has {} with {} threads for each process: it was measured with {}", component,
                    threads, listed(had)));
}

CoupledPart coupled_part(const std::string &directory, const std::vector<std::string> &without,
                         const std::vector<std::string> &order) {
    return coupled_part(load_run(directory, {order, unknown}, progress_of), without);
}

void refuse_unknown_cores(const std::string &directory, const CoupledRun &run) {
    if (const std::string why = why_cores_not_known(run); !why.empty()) throw PredictionError(directory + ": " + why);
}

void add_remarks(std::vector<std::string> &remarks, const CoupledRun &run) {
    for (const std::string &remark : run.remarks)
        if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end()) remarks.push_back(remark);
    for (const std::string &sentence : change_words(run))
        remarks.push_back(sentence);
}

std::string remarks_in_words(const std::vector<std::string> &remarks) {
    std::string text;
    for (const std::string &remark : remarks)
        text += "Remark: " + safe_name(remark) + "\n";
    return text;
}

void check_same_model(const CoupledPart &first, const CoupledPart &other, const std::string &directory) {
    const std::string difference = another_model(first.run, other.run);
    if (!difference.empty())
        throw PredictionError(directory + " holds a run of another model than the first: " + difference);
}

std::string left_out_in_words(const std::vector<std::string> &io_servers) {
    if (io_servers.empty()) return "";
    std::string names;
    for (const std::string &name : io_servers)
        names += (names.empty() ? "" : ", ") + safe_name(name);
    return say(Sentence::left_out, {{"names", names}}) + "\n";
}

std::vector<double> serial_parts(const std::string &text, const std::vector<std::string> &names) {
    std::vector<double> serial(names.size(), unknown);
    const auto given = component_numbers("--serial", text, names);
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (given[c].empty()) continue;
        if (given[c].size() != 1 || given[c][0] > 1)
            throw std::invalid_argument("--serial: " + names[c] + " needs a share from 0 to 1 of its computing time");
        serial[c] = given[c][0];
    }
    return serial;
}

} // namespace cpl_lb
