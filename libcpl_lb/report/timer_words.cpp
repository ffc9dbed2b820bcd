// What can be said of a run that was made from the timers of its model.
#include "report/format.hpp"
#include "report/slow_side_words.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"
#include "support/sentences.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// In whose time the run's loop is, by the rules of its layout.
std::string path_sentence(const CoupledRun &run) {
    std::vector<const Component *> on_path;
    for (const Component &c : run.components)
        if (c.balance.critical_share > 0) on_path.push_back(&c);
    if (on_path.empty()) return "";
    std::stable_sort(on_path.begin(), on_path.end(), [](const Component *a, const Component *b) {
        return a->balance.critical_share > b->balance.critical_share;
    });
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

} // namespace

std::vector<std::string> timer_words(const CoupledRun &run) {
    std::vector<std::string> words;
    if (std::string path = path_sentence(run); !path.empty()) words.push_back(std::move(path));
    bool known = false;
    for (const Component &c : run.components) {
        known = known || is_known(c.balance.waiting_s);
        if (std::string waits = waits_sentence(run, c); !waits.empty()) words.push_back(std::move(waits));
    }
    if (!run.components.empty() && !known) words.push_back(say(Sentence::timers_no_waits));
    // A file whose length is wrong says so in a remark.
    const auto tells = [](const std::string &remark) { return remark.find("--simulated") != std::string::npos; };
    if (!is_known(run.run.simulated_s) && std::none_of(run.remarks.begin(), run.remarks.end(), tells))
        words.push_back(say(Sentence::timers_no_length));
    return words;
}

std::string source_table(const CoupledRun &run) {
    TextTable table({2});
    for (const FigureSource &source : run.sources)
        table.row({safe_name(source.figure), safe_name(source.from)});
    return run.sources.empty() ? "" : table.text();
}

} // namespace cpl_lb
