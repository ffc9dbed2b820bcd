#include "tools/curve_sources.hpp"

#include "io/csv_table.hpp"
#include "report/format.hpp"
#include "tools/load_run.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace cpl_lb {
SamplesByComponent read_curves(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"component", "processes", "seconds"});
    SamplesByComponent samples;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const ScalingSample s{table.positive(row, "processes"), table.positive(row, "seconds")};
        if (s.processes > 1e9) throw table.wrong(row, "processes", "more than 1e9");
        if (s.seconds > 1e12) throw table.wrong(row, "seconds", "more than 1e12");
        samples[table.text(row, "component")].push_back(s);
    }
    return samples;
}

void add_samples(SamplesByComponent &samples, const MeasuredGraph &measured) {
    const CouplingGraph &graph = *measured.graph;
    const std::vector<double> &cycles = measured.cycle.measured_s;
    double share = 1;
    if (!cycles.empty()) {
        const double mean = std::accumulate(cycles.begin(), cycles.end(), 0.0) / static_cast<double>(cycles.size());
        share = mean / measured.measured_s();
    }
    for (std::size_t c = 0; c < graph.components(); ++c)
        samples[graph.names()[c]].push_back(
            {static_cast<double>(measured.processes[c]), graph.computing_s()[c] * share});
}

CoupledRun leave_out(CoupledRun run, const std::vector<std::string> &names) {
    for (const std::string &name : names) {
        const auto found = std::find_if(run.components.begin(), run.components.end(),
                                        [&](const Component &c) { return c.name == name; });
        if (found == run.components.end()) throw PredictionError("--without: there is no component '" + name + "'");
        run.components.erase(found);
    }
    return run;
}

CoupledPart coupled_part(const std::string &directory, const std::vector<std::string> &without) {
    CoupledPart part{leave_out(load_run(directory), without), {}};
    for (const Component &c : part.run.components) {
        bool exchanges = false;
        for (std::size_t k = 0; k < c.table.keys.size() && !exchanges; ++k)
            exchanges = is_exchange(c.table.keys.what(k).kind);
        if (c.properties.is_io_server && !exchanges) part.io_servers.push_back(c.name);
    }
    part.run = leave_out(std::move(part.run), part.io_servers);
    return part;
}

std::string left_out_in_words(const std::vector<std::string> &io_servers) {
    if (io_servers.empty()) return "";
    std::string names;
    for (const std::string &name : io_servers)
        names += (names.empty() ? "" : ", ") + safe_name(name);
    return "Left out, cores included: " + names + " (for output only: exchanges nothing).\n";
}

std::vector<double> serial_parts(const std::string &text, const std::vector<std::string> &names) {
    std::vector<double> serial(names.size(), unknown);
    const auto given = component_numbers("--serial", text, names);
    for (std::size_t c = 0; c < names.size(); ++c) {
        if (given[c].empty()) continue;
        if (given[c].size() != 1 || given[c][0] > 1)
            throw std::invalid_argument("--serial: of " + names[c] + " a share from 0 to 1 of its computing time");
        serial[c] = given[c][0];
    }
    return serial;
}

std::vector<ScalingCurve> curves_of(const SamplesByComponent &samples, const std::vector<std::string> &names,
                                    const std::vector<double> &serial) {
    std::vector<ScalingCurve> curves;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::string &name = names[c];
        const auto found = samples.find(name);
        if (found == samples.end()) throw PredictionError("no measured time of " + name);
        for (const ScalingSample &s : found->second)
            if (!(s.seconds > 0)) throw PredictionError(name + " does not compute in the coupling loop");
        ScalingCurve curve(found->second);
        if (c < serial.size() && is_known(serial[c])) {
            if (curve.samples().size() > 1)
                throw PredictionError("--serial: " + name +
                                      " was measured with several counts, which tell its serial part");
            curve = ScalingCurve::with_serial_part(curve.samples().front(), serial[c]);
        }
        curves.push_back(std::move(curve));
    }
    return curves;
}

} // namespace cpl_lb
