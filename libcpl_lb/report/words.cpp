#include "report/words.hpp"

#include "report/format.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cpl_lb {
namespace {

constexpr std::size_t name_columns = 40;
constexpr std::size_t most_listed = 3;

struct Wait {
    const Component *waiter = nullptr;
    std::int32_t awaited = 0; // id; 0: not known
    double share = 0;         // of the waiter's loop
    double core_s = 0;
};

bool is_judged(const Component &component) {
    return is_known(component.balance.loop_s) && component.balance.loop_s > 0 &&
           is_known(component.balance.waiting_s);
}

std::string name_of(const CoupledRun &run, std::int32_t id) {
    return short_name(run.component_name(id), name_columns);
}
std::string name_of(const Component &component) {
    return short_name(component.name, name_columns);
}

bool was_recorded(const CoupledRun &run, std::int32_t id) {
    return std::any_of(run.components.begin(), run.components.end(),
                       [id](const Component &component) { return component.id == id; });
}

// All waits worth a word, the longest share first.
std::vector<Wait> waits_of(const CoupledRun &run) {
    std::vector<Wait> waits;
    for (const Component &component : run.components) {
        if (!is_judged(component)) continue;
        for (const WaitingFor &part : component.balance.waiting_for) {
            const double seconds = part.get_s + part.put_s;
            const double share = seconds / component.balance.loop_s;
            if (share >= balanced_below)
                waits.push_back(
                    {&component, part.component, share, seconds * static_cast<double>(component.cores())});
        }
    }
    std::stable_sort(waits.begin(), waits.end(), [](const Wait &a, const Wait &b) { return a.share > b.share; });
    return waits;
}

// The component for which the most core time waits.
std::int32_t slow_side(const std::vector<Wait> &waits) {
    std::map<std::int32_t, double> core_s;
    for (const Wait &wait : waits)
        core_s[wait.awaited] += wait.core_s;
    return std::max_element(core_s.begin(), core_s.end(),
                            [](const auto &a, const auto &b) { return a.second < b.second; })
        ->first;
}

std::string joined(const std::vector<std::string> &parts, std::size_t more) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool last = i + 1 == parts.size() && more == 0;
        text += (i == 0 ? "" : last ? " and " : ", ") + parts[i];
    }
    return more == 0 ? text : text + fmt::format(" and {} more", more);
}

const Wait *find(const std::vector<Wait> &waits, std::int32_t waiter, std::int32_t awaited) {
    const auto found = std::find_if(waits.begin(), waits.end(), [=](const Wait &wait) {
        return wait.waiter->id == waiter && wait.awaited == awaited;
    });
    return found == waits.end() ? nullptr : &*found;
}

std::string mutual_sentence(const CoupledRun &run, const Wait &one, const Wait &other) {
    const std::string first = name_of(*one.waiter);
    const std::string second = name_of(run, one.awaited);
    return fmt::format("{} and {} wait for each other: {} {} of its time for {}, {} {} of its time for {}; parts of "
                       "them run one after the other, or their steps are uneven.",
                       first, second, first, share_in_words(one.share), second, second, share_in_words(other.share),
                       first);
}

std::string slow_sentence(const CoupledRun &run, const std::vector<Wait> &waits) {
    const std::int32_t slow = slow_side(waits);
    std::vector<Wait> waiters;
    std::copy_if(waits.begin(), waits.end(), std::back_inserter(waiters),
                 [slow](const Wait &wait) { return wait.awaited == slow; });
    const Wait &longest = waiters.front();
    const Wait *back = find(waits, slow, longest.waiter->id);
    if (slow != longest.waiter->id && back != nullptr && back->share >= 0.5 * longest.share)
        return mutual_sentence(run, longest, *back);

    std::vector<std::string> parts;
    for (std::size_t i = 0; i < std::min(waiters.size(), most_listed); ++i)
        parts.push_back(name_of(*waiters[i].waiter) + (i == 0 ? " waits " : " ") + share_in_words(waiters[i].share) +
                        (i == 0 ? " of its time for it" : ""));
    const std::string list = joined(parts, waiters.size() - parts.size());
    if (slow == 0)
        return fmt::format("{} waits {} of its time in exchanges whose other end is not known.",
                           name_of(*longest.waiter), share_in_words(longest.share));
    if (slow == longest.waiter->id)
        return fmt::format("{} waits {} of its time in exchanges with itself.", name_of(run, slow),
                           share_in_words(longest.share));
    const char *note = was_recorded(run, slow) ? "" : " (it was not recorded itself)";
    return fmt::format("{} is the slow side{}: {}.", name_of(run, slow), note, list);
}

std::string balanced_sentence(const CoupledRun &run) {
    double largest = 0;
    for (const Component &component : run.components)
        if (is_judged(component)) largest = std::max(largest, component.balance.waiting_s / component.balance.loop_s);
    if (run.components.size() == 1)
        return fmt::format("{} hardly waits: {} of its time.", name_of(run.components.front()),
                           share_in_words(largest));
    return fmt::format("The components are balanced: none waits more than {} of its time.",
                       share_in_words(std::max(largest, 0.001)));
}

std::string machine_sentence(const CoupledRun &run) {
    const double share = waiting_share_of_cores(run);
    if (share < balanced_below)
        return fmt::format("Waiting takes {} of the core time in the coupling loop: little is left to gain.",
                           share_in_words(share));
    if (run.components.size() == 1)
        return fmt::format("Its cores wait {} of the time in the coupling loop.", share_in_words(share));
    return fmt::format("Waiting takes {} of the core time in the coupling loop; perfect balance on the same cores "
                       "would shorten it by at most that share.",
                       share_in_words(share));
}

// "Not judged: a, b and 3 more (why); c (why)."
std::string not_judged_sentence(const CoupledRun &run) {
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const Component &component : run.components) {
        if (is_judged(component)) continue;
        const std::string &given = component.balance.why_no_window;
        const std::string why = given.empty() ? "it has no coupling loop" : safe_name(given);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto &g) { return g.first == why; });
        if (group == groups.end()) group = groups.insert(groups.end(), {why, {}});
        group->second.push_back(name_of(component));
    }
    std::string text;
    for (auto &[why, names] : groups) {
        const std::size_t more = names.size() - std::min(names.size(), most_listed);
        names.resize(names.size() - more);
        text += (text.empty() ? "Not judged: " : "; ") + joined(names, more) + " (" + why + ")";
    }
    return text.empty() ? text : text + ".";
}

bool any_exchange(const CoupledRun &run) {
    return std::any_of(run.components.begin(), run.components.end(), [](const Component &component) {
        return is_judged(component) && !component.balance.waiting_for.empty();
    });
}

} // namespace

double waiting_share_of_cores(const CoupledRun &run) {
    double waiting = 0;
    double loop = 0;
    for (const Component &component : run.components) {
        if (!is_judged(component)) continue;
        waiting += component.balance.waiting_s * static_cast<double>(component.cores());
        loop += component.balance.loop_s * static_cast<double>(component.cores());
    }
    return loop > 0 ? waiting / loop : unknown;
}

std::vector<std::string> plain_words(const CoupledRun &run) {
    if (run.components.empty()) return {"No component was recorded."};
    std::vector<std::string> words;
    const bool judged = std::any_of(run.components.begin(), run.components.end(), is_judged);
    const std::vector<Wait> waits = waits_of(run);
    if (judged && !any_exchange(run)) {
        words.emplace_back("No component exchanged a coupling field, so none waits for another.");
    } else if (judged) {
        words.push_back(waits.empty() ? balanced_sentence(run) : slow_sentence(run, waits));
        words.push_back(machine_sentence(run));
    }
    const std::string rest = not_judged_sentence(run);
    if (!rest.empty()) words.push_back(rest);
    return words;
}

std::string wrapped(std::string_view sentence, std::size_t columns, std::string_view indent) {
    std::string text;
    std::string line(indent);
    bool empty = true;
    while (!sentence.empty()) {
        const std::string_view word = sentence.substr(0, sentence.find(' '));
        sentence.remove_prefix(std::min(sentence.size(), word.size() + 1));
        if (!empty && display_columns(line) + 1 + display_columns(word) > columns) {
            text += line + "\n";
            line = indent;
            empty = true;
        }
        line += (empty ? "" : " ") + std::string(word);
        empty = false;
    }
    return text + line + "\n";
}

} // namespace cpl_lb
