// Reads sacct's columns JobID and ConsumedEnergyRaw.
#include "tools/cpmip/slurm_energy.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::string_view command_to_use = "sacct -j JOB --parsable2 --format=JobID,ConsumedEnergyRaw";
// A machine of 100 MW over a month. Slurm stores "not known" as a number near 2^64, which old versions print.
constexpr double most_J = 100e6 * 31 * 86400;

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (std::size_t next = text.find(at); next != std::string_view::npos; next = text.find(at)) {
        parts.push_back(text.substr(0, next));
        text.remove_prefix(next + 1);
    }
    parts.push_back(text);
    return parts;
}

std::size_t column(const std::vector<std::string_view> &names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw std::invalid_argument(fmt::format("line 1: no column {}: made by {}?", name, command_to_use));
    return static_cast<std::size_t>(found - names.begin());
}

// "4711", "4711_3" of an array, "4711+1" of a job of several parts; a step has a point: "4711.0", "4711.batch".
bool is_job(std::string_view id) {
    return id.find('.') == std::string_view::npos;
}

double joules_in(std::string_view text, std::size_t line) {
    if (text.empty()) return unknown;
    double joules = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), joules);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size() || !(joules >= 0))
        throw std::invalid_argument(fmt::format("line {}: '{}' is no energy in joules", line, text));
    return joules > 0 && joules < most_J ? joules : unknown;
}

} // namespace

std::vector<SlurmJobEnergy> read_sacct_energy(std::string_view text) {
    std::vector<SlurmJobEnergy> jobs;
    const std::vector<std::string_view> lines = split(text, '\n');
    const std::vector<std::string_view> names = split(lines.front(), '|');
    const std::size_t id = column(names, "JobID"), energy = column(names, "ConsumedEnergyRaw");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (lines[i].empty()) continue;
        const std::vector<std::string_view> fields = split(lines[i], '|');
        if (fields.size() != names.size())
            throw std::invalid_argument(
                fmt::format("line {}: {} fields where {} belong", i + 1, fields.size(), names.size()));
        if (!is_job(fields[id])) continue;
        const std::string job(fields[id]);
        if (std::any_of(jobs.begin(), jobs.end(), [&](const SlurmJobEnergy &known) { return known.job == job; }))
            throw std::invalid_argument(fmt::format("line {}: job {} is there twice", i + 1, job));
        jobs.push_back({job, joules_in(fields[energy], i + 1)});
    }
    if (jobs.empty()) throw std::invalid_argument("no line of a job, only of steps or none");
    return jobs;
}

} // namespace cpl_lb
