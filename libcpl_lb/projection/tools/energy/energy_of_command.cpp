// The answer of cpl-lb energy -- COMMAND.
#include "projection/tools/energy/energy_of_command.hpp"

#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "projection/measured/measure_command.hpp"
#include "support/fmt.hpp"
#include "tools/commands.hpp"

#include <algorithm>
#include <cstdio>

namespace cpl_lb {
namespace {

std::string as_text(const MeasuredCommand &m) {
    std::string text = fmt::format("Time: {:.3f} s\n", m.seconds);
    if (!m.why_no_energy.empty()) return text + "Energy: n/a: " + m.why_no_energy + "\n";
    std::size_t width = 6;
    for (const MeasuredDomain &d : m.domains)
        width = std::max(width, d.name.size());
    text += fmt::format("{:<{}}  {:>12}  {:>10}   (of the whole node, by {})\n", "domain", width, "energy [J]",
                        "power [W]", m.source);
    for (const MeasuredDomain &d : m.domains) {
        const std::string joules = is_known(d.joules) ? fmt::format("{:.3f}", d.joules) : "n/a";
        const std::string watts = is_known(d.joules) ? fmt::format("{:.3f}", d.joules / m.seconds) : "n/a";
        text += fmt::format("{:<{}}  {:>12}  {:>10}\n", d.name, width, joules, watts);
    }
    for (const std::string &remark : m.remarks)
        text += remark + "\n";
    return text;
}

std::string as_json(const MeasuredCommand &m, const std::vector<std::string> &words) {
    JsonTree root = {{"command", words},
                     {"exit_status", m.status},
                     {"seconds", JsonTree::number(m.seconds)},
                     {"source", JsonTree::text(m.source)},
                     {"why_no_energy", JsonTree::text(m.why_no_energy)},
                     {"domains", JsonTree::array()},
                     {"remarks", m.remarks}};
    for (const MeasuredDomain &d : m.domains) {
        root["domains"].push_back({{"name", d.name},
                                   {"energy_J", JsonTree::number(d.joules)},
                                   {"power_W", JsonTree::number(d.joules / m.seconds)}});
    }
    return root.dump(2) + "\n";
}

} // namespace

int energy_of_command(const std::vector<std::string> &words, const std::string &output, bool json) {
    const MeasuredCommand measured = measure_command(words);
    if (!measured.why_not_started.empty()) {
        print_error(measured.why_not_started);
        return measured.status;
    }
    const std::string answer = json ? as_json(measured, words) : as_text(measured);
    if (output.empty())
        std::fputs(answer.c_str(), stderr);
    else
        write_result_file(output, answer);
    return measured.status;
}

} // namespace cpl_lb
