// Names for processes of programs that do not know cpl_lb: all hear what each said of itself, and each takes its
// name.
#include "run/live/recording.hpp"

#include <algorithm>

namespace cpl_lb {

bool Recording::somebody_asks_for_name() const {
    const std::vector<std::string> &names = process_map_.component_names;
    return std::any_of(names.begin(), names.end(),
                       [](const std::string &name) { return !name.empty() && name.front() == asks_for_name; });
}

// Processes that call cpl_lb_init themselves have said their component: "=ocean", as CPL_LB_COMPONENT does.
void Recording::take_name(const Namer &namer) {
    std::vector<std::string> texts;
    std::vector<int> ranks;
    for (int rank = 0; rank < process_map_.size(); ++rank) {
        const std::string &name = process_map_.component_name_of(rank);
        const bool asks = !name.empty() && name.front() == asks_for_name;
        texts.push_back(asks ? name.substr(1) : "=" + name);
        ranks.push_back(process_map_.in_model(rank));
    }
    component_ = namer(texts, ranks, settings_.components, static_cast<std::size_t>(transport_.rank()));
    component_stack_.assign(1, component_);
}

void Recording::rename(std::string_view component) {
    component_ = component;
    component_stack_.assign(1, component_);
    if (recorder_) recorder_->rename(component);
}

double Recording::ticks_per_s() const {
    if (clock_source_ == ClockSource::gettime) return 1e9;
    const ClockPoint now = take_clock_point(clock_source_);
    const auto ns = static_cast<double>(now.monotonic_ns - first_point_.monotonic_ns);
    return ns > 0 ? 1e9 * static_cast<double>(now.ticks - first_point_.ticks) / ns : 1e9;
}

} // namespace cpl_lb
