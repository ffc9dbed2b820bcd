#include "tools/curve_sources.hpp"

#include "io/file_error.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <numeric>

namespace cpl_lb {
namespace {

bool number_of(const std::string &text, double &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
}

} // namespace

SamplesByComponent read_curves(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(path, "cannot read");
    SamplesByComponent samples;
    bool header = false;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line.front() == '#') continue;
        const auto wrong = [&](const std::string &what) {
            return FileError(path, "line " + std::to_string(number) + ": " + what);
        };
        if (!header) {
            if (line != "component,processes,seconds") throw wrong("the header must be component,processes,seconds");
            header = true;
            continue;
        }
        const std::size_t second = line.rfind(',');
        const std::size_t first = second == std::string::npos || second == 0 ? second : line.rfind(',', second - 1);
        ScalingSample s;
        if (first == std::string::npos || first == 0 || first == second ||
            !number_of(line.substr(first + 1, second - first - 1), s.processes) ||
            !number_of(line.substr(second + 1), s.seconds) || !(s.processes > 0) || !(s.seconds > 0) ||
            s.processes > 1e9 || s.seconds > 1e12)
            throw wrong("not a component, positive processes and positive seconds: " + line);
        samples[line.substr(0, first)].push_back(s);
    }
    if (samples.empty()) throw FileError(path, "no measured times");
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

std::vector<ScalingCurve> curves_of(const SamplesByComponent &samples, const std::vector<std::string> &names) {
    std::vector<ScalingCurve> curves;
    for (const std::string &name : names) {
        const auto found = samples.find(name);
        if (found == samples.end()) throw PredictionError("no measured time of " + name);
        for (const ScalingSample &s : found->second)
            if (!(s.seconds > 0)) throw PredictionError(name + " does not compute in the coupling loop");
        curves.emplace_back(found->second);
    }
    return curves;
}

} // namespace cpl_lb
