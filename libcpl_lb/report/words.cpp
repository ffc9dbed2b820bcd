// The verdict: who is slow, how much waits, what could be gained, and what stands apart.
#include "report/words.hpp"

#include "analysis/disturbance.hpp"
#include "analysis/efficiency.hpp"
#include "analysis/waiting_share.hpp"
#include "report/change_words.hpp"
#include "report/format.hpp"
#include "report/slow_side_words.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_listed = 3;
constexpr double much_idle = 0.05; // of all core time

// The largest share of its time that a component waits; those that stand between others wait by their nature.
double largest_wait(const CoupledRun &run, const InBetween &between) {
    double largest = 0;
    for (const Component &component : run.components)
        if (has_loop(component) && !component.balance.is_io_server && !between.has(component))
            largest = std::max(largest, component.balance.waiting_s / component.balance.loop_s);
    return largest;
}

// Components that wait for others, and for which others wait.
std::vector<const Component *> partners_of(const CoupledRun &run) {
    std::vector<const Component *> partners;
    for (const Component &component : run.components)
        if (has_loop(component) && !component.balance.is_io_server) partners.push_back(&component);
    return partners;
}

std::string balanced_sentence(const CoupledRun &run, const InBetween &in_between) {
    const std::vector<const Component *> partners = partners_of(run);
    if (partners.size() == 1) {
        return fmt::format("{} hardly waits: {} of its time.", name_in_words(run, partners.front()->id),
                           share_in_words(largest_wait(run, in_between)));
    }
    std::vector<std::string> between;
    for (const Component &component : run.components) {
        if (!has_loop(component) || !in_between.has(component)) continue;
        between.push_back(fmt::format("{} ({})", name_in_words(run, component.id),
                                      share_in_words(component.balance.waiting_s / component.balance.loop_s)));
    }
    const std::size_t more = between.size() - std::min(between.size(), most_listed);
    between.resize(between.size() - more);
    return fmt::format("The components are balanced: none waits more than {} of its time{}.",
                       share_in_words(std::max(largest_wait(run, in_between), 0.001)),
                       between.empty() ? "" : ", except those that stand between others: " + listed(between, more));
}

// "4.1", "0.25", "1234": of an estimate.
std::string about(double seconds) {
    if (!std::isfinite(seconds)) return "n/a";
    return seconds < 1000 ? fmt::format("{:.3g}", seconds) : fmt::format("{:.0f}", seconds);
}

std::string split_in_words(const CoupledRun &run) {
    constexpr std::size_t most_parts = 8;
    std::vector<std::string> parts;
    bool threads = false;
    for (std::size_t c = 0; c < std::min(run.components.size(), run.balance.best_cores.size()); ++c) {
        if (run.balance.best_cores[c] == 0) continue;
        parts.push_back(name_in_words(run, run.components[c].id) + "=" + count_text(run.balance.best_cores[c]));
        threads = threads || run.components[c].threads > 1;
    }
    const std::size_t all = parts.size();
    parts.resize(std::min(all, most_parts));
    return fmt::format("with {}{}, if {} scale ideally", listed(parts, all - parts.size()), threads ? " (cores)" : "",
                       all == 2 ? "both" : "all");
}

// What I/O servers idle, of the core time of all loops.
double idle_share(const CoupledRun &run) {
    double idle = 0, all = 0;
    for (const Component &component : run.components) {
        if (!has_loop(component)) continue;
        const auto cores = static_cast<double>(component.cores());
        all += cores * component.balance.loop_s;
        if (is_known(component.balance.idle_s)) idle += cores * component.balance.idle_s;
    }
    return all > 0 ? idle / all : 0;
}

std::string machine_sentence(const CoupledRun &run) {
    const double share = run.balance.waiting_share;
    const std::string gain = gain_words(run);
    if (!is_known(share)) return "";
    if (share < balanced_below) {
        return fmt::format("Waiting takes {} of the core time in the coupling loop: {}.", share_in_words(share),
                           idle_share(run) < much_idle
                               ? "little is left to gain"
                               : share_in_words(idle_share(run)) +
                                     " of all core time is idle, in components that only take data");
    }
    if (run.components.size() == 1)
        return fmt::format("Its cores wait {} of the time in the coupling loop.", share_in_words(share));
    return fmt::format("Waiting takes {} of the core time in the coupling loop.", share_in_words(share)) +
           (gain.empty() ? "" : " " + gain);
}

// Of the core time in the coupling loops, or in the run where nothing is coupled.
std::string core_hours_sentence(const CoupledRun &run) {
    const Efficiency e = efficiency_of(run);
    const bool coupled = is_known(e.coupling);
    const double useful = coupled ? e.total : e.inside;
    const double inside = (coupled ? e.coupling : 1.0) - useful;
    if (!is_known(inside) || inside < 0) return ""; // below 0: not all get their exchanges at the same time
    return fmt::format("MPI inside the components takes {} of the core time in {}, useful work {}.",
                       share_in_words(inside), coupled ? "the coupling loops" : "the run", share_in_words(useful));
}

// What is waited for there is in no figure.
std::string other_threads_sentence(const CoupledRun &run) {
    if (run.run.elsewhere_calls <= 0) return "";
    return fmt::format("Other threads than that of MPI_Init called MPI {} ({} s of all processes together): these "
                       "figures do not see who waits there.",
                       counted(run.run.elsewhere_calls, "time"), about(run.run.elsewhere_s));
}

// An I/O server, and who waits for it: "xios only takes data: it is idle 95 % of its time. ocean waits 12 % for it."
std::string server_sentence(const CoupledRun &run, const std::vector<Wait> &waits, const Component &server) {
    const std::string name = name_in_words(run, server.id);
    std::string text = name + (server.properties.is_io_server ? " is an I/O server" : " only takes data");
    if (server.balance.waiting_for.empty())
        text += "; its waiting for data was not recorded";
    else if (is_known(server.balance.idle_s))
        text += fmt::format(", idle {} of its time", share_in_words(server.balance.idle_s / server.balance.loop_s));
    std::vector<std::string> clients;
    for (const Wait &wait : waits) {
        if (wait.awaited == server.id)
            clients.push_back(name_in_words(run, wait.waiter->id) + " waits " + share_in_words(wait.share) +
                              " of its time for it");
    }
    const std::size_t more = clients.size() - std::min(clients.size(), most_listed);
    clients.resize(clients.size() - more);
    if (!clients.empty()) return text + "; " + listed(clients, more) + ".";
    const bool has_clients = std::any_of(run.components.begin(), run.components.end(), [&](const Component &client) {
        const std::vector<WaitingFor> &list = client.balance.waiting_for;
        return std::any_of(list.begin(), list.end(), [&](const WaitingFor &w) { return w.component == server.id; });
    });
    return text + (has_clients ? "; nobody waits for it." : ".");
}

// "Not judged: a, b and 3 more (why); c (why)."
std::string not_judged_sentence(const CoupledRun &run) {
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const Component &component : run.components) {
        if (has_loop(component) || component.balance.is_io_server) continue;
        const std::string &given = component.balance.why_no_window;
        const std::string why = given.empty() ? "it has no coupling loop" : safe_name(given);
        auto group = std::find_if(groups.begin(), groups.end(), [&](const auto &g) { return g.first == why; });
        if (group == groups.end()) group = groups.insert(groups.end(), {why, {}});
        group->second.push_back(name_in_words(run, component.id));
    }
    std::string text;
    for (auto &[why, names] : groups) {
        const std::size_t more = names.size() - std::min(names.size(), most_listed);
        names.resize(names.size() - more);
        text += (text.empty() ? "Not judged: " : "; ") + listed(names, more) + " (" + why + ")";
    }
    return text.empty() ? text : text + ".";
}

bool any_exchange(const CoupledRun &run) {
    return std::any_of(run.components.begin(), run.components.end(), [](const Component &component) {
        return has_loop(component) && !component.balance.waiting_for.empty();
    });
}

} // namespace

std::vector<std::string> plain_words(const CoupledRun &run) {
    if (run.components.empty()) return {"No component was recorded."};
    std::vector<std::string> words;
    const bool judged = std::any_of(run.components.begin(), run.components.end(), has_loop);
    const std::vector<Wait> waits = waits_of(run);
    if (judged && !any_exchange(run)) {
        words.emplace_back("No component exchanged a coupling field, so none waits for another.");
    } else if (judged) {
        const InBetween between(run);
        const bool somebody_waits =
            std::any_of(waits.begin(), waits.end(), [&](const Wait &wait) { return !between.has(*wait.waiter); });
        words.push_back(somebody_waits ? slow_side_sentence(run, waits, between) : balanced_sentence(run, between));
        if (std::string share = machine_sentence(run); !share.empty()) words.push_back(std::move(share));
    }
    if (std::string others = other_threads_sentence(run); !others.empty()) words.push_back(std::move(others));
    for (std::string &sentence : change_words(run))
        words.push_back(std::move(sentence));
    if (std::string hours = core_hours_sentence(run); !hours.empty()) words.push_back(std::move(hours));
    for (const Component &component : run.components)
        if (component.balance.is_io_server) words.push_back(server_sentence(run, waits, component));
    if (const std::string why = why_disturbed(run); !why.empty())
        words.push_back("The run was disturbed, and these figures may mislead: " + why + ".");
    const std::string rest = not_judged_sentence(run);
    if (!rest.empty()) words.push_back(rest);
    return words;
}

std::string gain_words(const CoupledRun &run) {
    const RunBalance &b = run.balance;
    if (run.components.size() < 2 || !is_known(b.waiting_share) || b.waiting_share < balanced_below) return "";
    if (!b.why_no_gain.empty()) return "The possible gain is not known: " + safe_name(b.why_no_gain) + ".";
    if (!is_known(b.gain_s)) return "";
    if (b.gain_s < balanced_below * b.loop_s)
        return "By the model no other split of the same cores makes the loop much shorter.";
    if (!is_known(b.best_s + b.loop_s)) return "";
    return fmt::format("At best the common loop takes about {} s instead of {} s, {}.", about(b.best_s),
                       about(b.loop_s), split_in_words(run));
}

std::string awaited_text(const CoupledRun &run, const ComponentBalance &balance, std::int32_t id,
                         std::size_t columns) {
    if (balance.is_io_server) return id == 0 ? "data" : "data of " + short_name(run.component_name(id), columns);
    return id == 0 ? "not known" : short_name(run.component_name(id), columns);
}

std::string waiting_text(const ComponentBalance &balance) {
    return (balance.is_io_server && is_known(balance.waiting_s) ? "idle " : "") + number_text(balance.waiting_s);
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
