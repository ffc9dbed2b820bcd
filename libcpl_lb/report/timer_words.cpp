// Sentences about a run that was made from the timers of its model.
#include "analysis/members.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace cpl_lb {
namespace {

// The components on the run's longest path, by the rules of its layout.
std::string path_sentence(const CoupledRun &run) {
    std::vector<const Component *> on_path;
    for (const Component &c : run.components)
        if (c.balance.critical_share > 0) on_path.push_back(&c);
    if (on_path.empty()) return "";
    std::ranges::stable_sort(on_path, std::greater(), [](const Component *c) { return c->balance.critical_share; });
    std::vector<std::string> parts;
    parts.reserve(on_path.size());
    for (const Component *c : on_path)
        parts.push_back(name_in_words(run, c->id) + " " + share_in_words(c->balance.critical_share));
    return say(Sentence::timers_path, {{"layout", safe_name(run.run.layout)},
                                       {"parts", listed(parts)},
                                       {"share", share_in_words(run.balance.on_path_s / run.balance.loop_s)}});
}

std::string waits_sentence(const CoupledRun &run, const Component &c) {
    const ComponentBalance &b = c.balance;
    if (!(b.loop_s > 0) || !is_known(b.waiting_s) || b.waiting_s < balanced_below * b.loop_s) return "";
    return say(Sentence::timers_waits,
               {{"name", name_in_words(run, c.id)}, {"share", share_in_words(b.waiting_s / b.loop_s)}});
}

// Figures of one timer: "loop_s" of some components; those of the whole run have no component.
struct ToldBy {
    std::vector<std::pair<std::string, std::vector<std::string>>> figures; // with the components that have it

    void add(const CoupledRun &run, const std::string &place) {
        std::string figure = place.substr(place.find('.') + 1), whose;
        for (const std::string &name : run.component_names) {
            if (!place.starts_with("components." + name + ".")) continue;
            whose = name;
            figure = place.substr(whose.size() + 12);
        }
        auto same = std::ranges::find_if(
            figures, [&](const auto &one) { return one.first == figure && one.second.empty() == whose.empty(); });
        if (same == figures.end()) same = figures.insert(figures.end(), {figure, {}});
        if (!whose.empty()) same->second.push_back(whose);
    }
    [[nodiscard]] std::string figures_in_words(const CoupledRun &run) const {
        std::vector<std::string> words;
        words.reserve(figures.size());
        for (const auto &[figure, whose] : figures) {
            const bool all = whose.size() > 1 && whose.size() == run.component_names.size();
            words.push_back(figure + (whose.empty() ? "" : all ? " of each component" : " of " + listed(whose)));
        }
        return listed(words);
    }
};

} // namespace

std::vector<std::string> timer_words(const CoupledRun &run) {
    std::vector<std::string> words;
    if (std::string path = path_sentence(run); !path.empty()) words.push_back(std::move(path));
    bool known = false;
    const CoupledRun whole = folded(run, true).run;
    for (const Component &c : whole.components) {
        known = known || is_known(c.balance.waiting_s);
        if (std::string waits = waits_sentence(whole, c); !waits.empty()) words.push_back(std::move(waits));
    }
    if (!run.components.empty() && !known) words.push_back(say(Sentence::timers_no_waits));
    // If the length in a file is wrong, a remark says so already.
    const auto tells = [](const std::string &remark) { return remark.find("--simulated") != std::string::npos; };
    if (!is_known(run.run.simulated_s) && std::ranges::none_of(run.remarks, tells))
        words.push_back(say(Sentence::timers_no_length));
    return words;
}

// A paragraph for each timer with its figures. Regions are only counted, because each has the name of its timer.
std::string source_table(const CoupledRun &run) {
    std::vector<std::pair<std::string, ToldBy>> timers;
    std::size_t regions = 0;
    for (const FigureSource &source : run.sources) {
        if (source.figure.find(".regions.") != std::string::npos) {
            ++regions;
            continue;
        }
        value_of(timers, source.from).add(run, source.figure);
    }
    std::string text;
    for (const auto &[timer, told] : timers)
        text += wrapped(safe_name(told.figures_in_words(run) + ": " + timer), 80);
    if (regions > 0) {
        text += wrapped(counted(regions, "region") +
                            ": each by the timer of its name; `sources` in load_balancing_info.json has their lines",
                        80);
    }
    return text;
}

} // namespace cpl_lb
