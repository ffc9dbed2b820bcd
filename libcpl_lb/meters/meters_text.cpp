// The report on meters as text for the screen.
#include "meters/meters_report.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <iterator>

namespace cpl_lb {
namespace {

// Remedies repeat: each is printed once, and lines refer to it by its number.
class Remedies {
public:
    // " [2]", or nothing if there is no remedy.
    std::string reference(const std::string &remedy) {
        if (remedy.empty()) return {};
        auto found = std::find(all_.begin(), all_.end(), remedy);
        if (found == all_.end()) found = all_.insert(all_.end(), remedy);
        return fmt::format(" [{}]", found - all_.begin() + 1);
    }
    [[nodiscard]] const std::vector<std::string> &all() const { return all_; }

private:
    std::vector<std::string> all_;
};

std::string line(const std::string &name, const Availability &state, const std::string &good, Remedies &remedies) {
    std::string text = state.works ? good : state.reason;
    if (state.works && !state.reason.empty()) text += "; not: " + state.reason;
    return fmt::format("  {:<24} {:<5}  {}{}\n", name, state.works ? "works" : "n/a", text,
                       remedies.reference(state.remedy));
}

} // namespace

std::string meters_text(const MetersReport &report) {
    std::string text = "Machine\n";
    const auto fact = [&](std::string_view name, std::string_view value) {
        text += fmt::format("  {:<24} {}\n", name, value);
    };
    fact("virtual machine", report.virtual_machine ? "yes" : "no sign of one");
    fact("hardware counters", report.processor_pmu ? "offered by the kernel" : "none offered by the kernel");
    fact("perf_event_paranoid", report.perf_event_paranoid);
    fact("PAPI", report.papi);
    fact("libpfm4", report.libpfm4);
    Remedies remedies;
    text += "\nMeters\n";
    for (const MeterStatus &meter : report.meters) {
        text += line(meter.name, meter.state, joined(meter.quantities, ", "), remedies);
    }
    text += "\nEvents for cn_counters\n";
    for (const EventStatus &event : report.events) {
        const std::string good =
            fmt::format("through {}{}{}", event.through, event.explanation.empty() ? "" : ": ", event.explanation);
        text += line(event.name, event.state, good, remedies);
    }
    if (!remedies.all().empty()) text += "\nWhat would help\n";
    for (std::size_t i = 0; i < remedies.all().size(); ++i) {
        text += fmt::format("  [{}] {}\n", i + 1, remedies.all()[i]);
    }
    if (!report.advice.empty()) text += "\nAdvice\n";
    for (const std::string &advice : report.advice)
        text += "  " + advice + "\n";
    return text;
}

} // namespace cpl_lb
