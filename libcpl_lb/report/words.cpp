// The verdict: who is slow, how much time is lost to waiting, what could be gained, and special cases.
#include "report/words.hpp"

#include "analysis/members.hpp"
#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/verdict_parts.hpp"
#include "support/counted.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_listed = 3;
constexpr double much = 0.05; // of all core time, or of the loop

// The largest share of its time that a component waits, of those that are not left out.
double largest_wait(const CoupledRun &run, const InBetween &between) {
    double largest = 0;
    for (const Component &component : run.components)
        if (has_loop(component) && !component.balance.is_io_server && !between.leaves_out(component))
            largest = std::max(largest, component.balance.waiting_s / component.balance.loop_s);
    return largest;
}

// The first few parts, and how many more there are.
std::string listed_few(std::vector<std::string> parts) {
    const std::size_t more = parts.size() - std::min(parts.size(), most_listed);
    parts.resize(parts.size() - more);
    return listed(parts, more);
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
    const double largest = largest_wait(run, in_between);
    if (partners.size() == 1)
        return say(Sentence::hardly_waits,
                   {{"name", name_in_words(run, partners.front()->id)}, {"share", share_in_words(largest)}});
    std::vector<std::string> between;
    for (const Component &component : run.components) {
        if (!in_between.leaves_out(component)) continue;
        between.push_back(say(Sentence::part_between,
                              {{"name", name_in_words(run, component.id)},
                               {"share", share_in_words(component.balance.waiting_s / component.balance.loop_s)}}));
    }
    return say(between.empty() ? Sentence::balanced : Sentence::balanced_except,
               {{"share", share_in_words(std::max(largest, 0.001))}, {"between", listed_few(between)}});
}

// "4.1", "0.25", "1234": an estimate.
std::string about(double seconds) {
    if (!std::isfinite(seconds)) return "n/a";
    return seconds < 1000 ? fmt::format("{:.3g}", seconds) : decimal_text(seconds, 0);
}

// "ocean on 1 core and atmosphere on 3", and who would have to scale perfectly.
std::pair<std::string, std::string> split_in_words(const CoupledRun &run) {
    constexpr std::size_t most_parts = 8;
    std::vector<std::string> parts;
    const std::vector<std::int64_t> &best = run.balance.best_cores;
    for (std::size_t c = 0; c < std::min(run.components.size(), best.size()); ++c) {
        if (best[c] == 0) continue;
        const std::string unit = !parts.empty() ? "" : best[c] == 1 ? " core" : " cores";
        parts.push_back(name_in_words(run, run.components[c].id) + " on " + count_text(best[c]) + unit);
    }
    const std::size_t all = parts.size();
    parts.resize(std::min(all, most_parts));
    return {listed(parts, all - parts.size()), all == 2 ? "both" : "all"};
}

// Also where the waiting of I/O servers and of components that are left out is counted, and by the model. What is not
// in the run may wait for one that hardly waits.
bool little_is_left(const CoupledRun &run) {
    for (const std::string_view outside : {another_world, not_recorded})
        if (std::ranges::count(run.component_names, outside) > 0) return false;
    const RunBalance &b = run.balance;
    const double all = share_of_all_core_time(run, [](const Component &c) { return c.balance.waiting_s; });
    return b.waiting_share < balanced_below && all < much && !(b.gain_s >= much * b.loop_s);
}

// Those that have core time in a loop, of which the share of the run counts nothing.
std::string without_in_words(const CoupledRun &run) {
    const InBetween between(run);
    std::vector<std::string> names;
    for (const Component &c : run.components)
        if (has_loop(c) && (!takes_part(c) || between.leaves_out(c))) names.push_back(name_in_words(run, c.id));
    return names.empty() ? "" : say(Sentence::part_without, {{"names", listed_few(std::move(names))}});
}

std::string machine_sentence(const CoupledRun &run) {
    const double share = run.balance.waiting_share;
    if (!is_known(share)) return "";
    const std::string in_words = share_in_words(share);
    if (run.components.size() == 1 && share >= balanced_below)
        return say(Sentence::its_cores_wait, {{"share", in_words}});
    const std::string left = little_is_left(run) ? say(Sentence::little_left) : gain_words(run);
    return say(Sentence::waiting_share, {{"share", in_words}, {"without", without_in_words(run)}}) +
           (left.empty() ? "" : " " + left);
}

// How much core time the share of the run leaves out. The sentences about I/O servers tell theirs.
std::string left_out_sentence(const CoupledRun &run, const InBetween &between) {
    std::vector<std::string> names;
    for (const Component &component : run.components)
        if (between.leaves_out(component)) names.push_back(name_in_words(run, component.id));
    if (names.empty()) return "";
    const std::size_t all = names.size();
    const double share = share_of_all_core_time(
        run, [&](const Component &c) { return between.leaves_out(c) ? c.balance.waiting_s : 0; });
    return say(Sentence::not_counted, {{"share", share_in_words(share)},
                                       {"names", listed_few(std::move(names))},
                                       {"wait", word_for(all, "waits", "wait")},
                                       {"each", all == 1 ? "It has" : "Each has"}});
}

// Empty if the clocks can be trusted.
std::string clocks_wrong_sentence(const CoupledRun &run) {
    constexpr std::int64_t one_of = 100; // for one of so many, fields may be out of order
    std::int64_t matched = 0, wrong = 0;
    for (const Exchange &exchange : run.exchanges) {
        matched += exchange.matched;
        wrong += exchange.violations;
    }
    if (one_of * wrong <= matched) return "";
    return say(Sentence::clocks_wrong, {{"count", count_text(wrong)}, {"fields", counted(matched, "field")}});
}

// Why it cannot be known who is slow; empty if it can.
std::string not_known_sentence(const CoupledRun &run) {
    constexpr double too_little = 0.01; // of the loop
    if (std::string wrong = clocks_wrong_sentence(run); !wrong.empty()) return wrong;
    const std::vector<const Component *> partners = partners_of(run);
    const bool idle = !partners.empty() && std::ranges::all_of(partners, [&](const Component *c) {
        return c->balance.computing_s < too_little * c->balance.loop_s;
    });
    return idle ? say(Sentence::nobody_computes) : "";
}

// Empty without windows.
std::string windows_sentence(const CoupledRun &run, const std::vector<Wait> &waits, const OnWindows &windows) {
    if (windows.names.empty()) return "";
    std::vector<std::string> names, parts;
    for (const std::string &name : windows.names) {
        names.push_back(name == not_recorded    ? "a program that was not recorded"
                        : name == another_world ? "a program in another MPI world"
                                                : short_name(name, name_columns));
    }
    const std::string listed_names = listed_few(std::move(names));
    if (!windows.hide_waits) return say(Sentence::windows_beside, {{"names", listed_names}});
    for (const Wait &wait : waits) {
        parts.push_back(say(Sentence::part_wait, {{"waiter", name_in_words(run, wait.waiter->id)},
                                                  {"share", share_in_words(wait.share)},
                                                  {"awaited", awaited_in_words(run, wait)}}));
    }
    const std::string in_others =
        parts.empty() ? "" : say(Sentence::part_in_other_exchanges, {{"waits", listed_few(std::move(parts))}});
    return say(Sentence::windows_hide, {{"names", listed_names}, {"waits", in_others}});
}

// Shares of the core time in the coupling loops, or in the run if nothing is coupled. The time that a process waits
// in MPI while its component waits for another one counts as waiting.
std::string core_hours_sentence(const CoupledRun &run) {
    const Efficiency e = efficiency_of(run);
    const bool coupled = is_known(e.coupling);
    const double useful = coupled ? e.total : e.inside;
    const double inside = (coupled ? e.coupling : 1.0) - useful;
    if (!is_known(inside) || inside < 0) return ""; // below 0: not all get their exchanges at the same time
    return say(coupled ? Sentence::inside_mpi_beside : Sentence::inside_mpi,
               {{"share", share_in_words(inside)}, {"useful", share_in_words(useful)}});
}

// Waiting on other threads is in no figure.
std::string other_threads_sentence(const CoupledRun &run) {
    if (run.run.elsewhere_calls <= 0) return "";
    return say(Sentence::other_threads,
               {{"times", counted(run.run.elsewhere_calls, "time")}, {"seconds", about(run.run.elsewhere_s)}});
}

// How long its clients wait for it: "; ocean waits 12 % of its time for it".
std::string clients_in_words(const CoupledRun &run, const std::vector<Wait> &waits, const Component &server) {
    std::vector<std::string> clients;
    for (const Wait &wait : waits) {
        if (wait.awaited == server.id)
            clients.push_back(say(Sentence::part_client, {{"waiter", name_in_words(run, wait.waiter->id)},
                                                          {"share", share_in_words(wait.share)}}));
    }
    if (!clients.empty()) return "; " + listed_few(clients);
    const bool has_clients = std::ranges::any_of(run.components, [&](const Component &client) {
        const std::vector<WaitingFor> &list = client.balance.waiting_for;
        return std::ranges::any_of(list, [&](const WaitingFor &w) { return w.component == server.id; });
    });
    return has_clients ? "; nobody waits for it" : "";
}

// An I/O server, and who waits for it: "xios only takes data: it is idle 95 % of its time. ocean waits 12 % for it."
std::string server_sentence(const CoupledRun &run, const std::vector<Wait> &waits, const Component &server) {
    std::string idle;
    if (server.balance.waiting_for.empty()) {
        idle = "; its waiting for data was not recorded";
    } else if (is_known(server.balance.idle_s)) {
        idle = say(Sentence::part_idle, {{"share", share_in_words(server.balance.idle_s / server.balance.loop_s)},
                                         {"all", share_in_words(share_of_all_core_time(run, [&](const Component &c) {
                                              return c.id == server.id ? c.balance.idle_s : 0;
                                          }))}});
    }
    return say(
        server.properties.is_io_server ? Sentence::server : Sentence::only_takes,
        {{"name", name_in_words(run, server.id)}, {"idle", idle}, {"clients", clients_in_words(run, waits, server)}});
}

// "rank 3", "ranks 1, 4 to 6 and 9".
std::string ranks_in_words(const std::vector<std::int32_t> &ranks, std::int64_t all) {
    std::vector<std::string> blocks;
    std::size_t named = 0;
    for (std::size_t first = 0; first < ranks.size() && blocks.size() < 2 * most_listed;) {
        std::size_t last = first;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (last == first + 1) last = first; // "4 and 5"
        blocks.push_back(count_text(ranks[first]) + (last == first ? "" : " to " + count_text(ranks[last])));
        named += last - first + 1;
        first = last + 1;
    }
    return word_for(all, "rank") + " " + listed(blocks, static_cast<std::size_t>(all) - named);
}

// Said if it explains for whom others wait.
std::string disturbed_sentence(const CoupledRun &run, const std::vector<Wait> &waits) {
    for (const Component *component : disturbed_components(run)) {
        const bool awaited =
            std::ranges::any_of(waits, [&](const Wait &wait) { return wait.awaited == component->id; });
        if (awaited || component->id == run.balance.slow_side) return disturbed_in_words(run, *component);
    }
    return "";
}

// "Not judged: a, b and 3 more (why); c (why)."
std::string not_judged_sentence(const CoupledRun &run) {
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (const Component &component : run.components) {
        if (has_loop(component) || component.balance.is_io_server) continue;
        const std::string &given = component.balance.why_no_window;
        const std::string why = given.empty() ? "it has no coupling loop" : safe_name(given);
        value_of(groups, why).push_back(name_in_words(run, component.id));
    }
    std::string text;
    for (auto &[why, names] : groups) {
        text += (text.empty() ? "" : "; ") + listed_few(names) + " (" + why + ")";
    }
    return text.empty() ? text : say(Sentence::not_judged, {{"names", text}});
}

bool any_exchange(const CoupledRun &run) {
    return std::ranges::any_of(run.components, [](const Component &component) {
        return has_loop(component) && !component.balance.waiting_for.empty();
    });
}

} // namespace

std::vector<std::string> said_first(const CoupledRun &run) {
    std::vector<std::string> words;
    const RunInfo &info = run.run;
    if (info.missing_count > 0) {
        words.push_back(
            say(Sentence::processes_missing, {{"count", count_text(info.missing_count)},
                                              {"all", count_text(info.processes + info.missing_count)},
                                              {"are", word_for(info.missing_count, "is", "are")},
                                              {"ranks", ranks_in_words(info.missing, info.missing_count)}}));
    }
    if (info.origin == Origin::recovered) words.push_back(say(Sentence::recovered));
    if (info.origin == Origin::imported)
        words.push_back(say(run.from_timers() ? Sentence::imported_timers : Sentence::imported));
    if (!run.clock.why_not_comparable.empty())
        words.push_back(say(Sentence::joined_apart, {{"why", safe_name(run.clock.why_not_comparable)}}));
    for (const Component &component : run.components) {
        if (component.dropped_events > 0)
            words.push_back(say(Sentence::dropped, {{"count", count_text(component.dropped_events)},
                                                    {"name", name_in_words(run, component.id)}}));
    }
    if (std::string coverage = coverage_sentence(run); !coverage.empty()) words.push_back(std::move(coverage));
    if (std::string disturbed = disturbed_sentence(run, waits_of(run)); !disturbed.empty())
        words.push_back(std::move(disturbed));
    for (std::string &sentence : changes_for_good(run))
        words.push_back(std::move(sentence));
    return words;
}

std::string run_title(const CoupledRun &run) {
    std::string_view id = run.run.id;
    const bool by_import = run.run.origin == Origin::imported && id.starts_with("esmf-");
    if (by_import) id.remove_prefix(std::string_view("esmf-").size());
    const bool made_up = run.run.started.empty() ? id.empty() || by_import : id.starts_with(run.run.started);
    if (!made_up && !id.empty()) return safe_name(run.run.id);
    std::vector<std::string> names;
    for (const Component &component : run.components)
        names.push_back(name_in_words(run, component.id));
    return names.empty() ? "a coupled run" : listed_few(names);
}

std::vector<std::string> plain_words(const CoupledRun &run) {
    std::vector<std::string> words = said_first(run);
    for (std::string &sentence : verdict_words(run))
        words.push_back(std::move(sentence));
    return words;
}

std::vector<std::string> verdict_words(const CoupledRun &run) {
    if (run.from_timers()) return timer_words(run);
    if (run.components.empty()) return {say(Sentence::nothing_recorded)};
    std::vector<std::string> words;
    const bool judged = std::ranges::any_of(run.components, has_loop);
    const CoupledRun whole = folded(run, true).run;
    const std::vector<Wait> waits = waits_of(whole);
    const OnWindows windows = on_windows(run);
    if (std::string said = windows_sentence(whole, waits, windows); !said.empty()) words.push_back(std::move(said));
    if (windows.hide_waits) {
        // no verdict
    } else if (judged && !any_exchange(run)) {
        words.push_back(say(Sentence::nothing_coupled));
    } else if (std::string why = judged ? not_known_sentence(run) : ""; !why.empty()) {
        words.push_back(std::move(why));
    } else if (judged) {
        const InBetween between(run);
        const bool is_balanced =
            std::ranges::all_of(waits, [&](const Wait &wait) { return between.leaves_out(*wait.waiter); });
        words.push_back(is_balanced ? balanced_sentence(run, between) : slow_side_sentence(whole, waits, between));
        if (std::string share = machine_sentence(run); !share.empty()) words.push_back(std::move(share));
        if (std::string few = few_steps_sentence(run); !few.empty()) words.push_back(std::move(few));
        if (std::string left_out = left_out_sentence(run, between); !left_out.empty())
            words.push_back(std::move(left_out));
    }
    add_another_world(words, whole, waits);
    if (std::string others = other_threads_sentence(run); !others.empty()) words.push_back(std::move(others));
    for (std::string &sentence : advice_for_changes(run))
        words.push_back(std::move(sentence));
    // The last to come is found with the same clocks.
    const bool clocks_hold = clocks_wrong_sentence(run).empty();
    if (std::string imbalance = clocks_hold ? imbalance_sentence(run) : ""; !imbalance.empty())
        words.push_back(std::move(imbalance));
    if (std::string startup = clocks_hold ? startup_sentence(run) : ""; !startup.empty())
        words.push_back(std::move(startup));
    if (std::string hours = core_hours_sentence(run); !hours.empty()) words.push_back(std::move(hours));
    for (std::string &late : late_sender_sentences(run))
        words.push_back(std::move(late));
    for (const Component &component : run.components)
        if (component.balance.is_io_server) words.push_back(server_sentence(whole, waits, component));
    const std::string rest = not_judged_sentence(run);
    if (!rest.empty()) words.push_back(rest);
    return words;
}

std::string processes_text(const Component &component) {
    return component.ranks.empty() ? "n/a" : count_text(static_cast<std::int64_t>(component.ranks.size()));
}

std::string gain_words(const CoupledRun &run) {
    const RunBalance &b = run.balance;
    if (run.components.size() < 2 || !is_known(b.waiting_share)) return "";
    if (b.waiting_share < balanced_below && !(b.gain_s >= much * b.loop_s)) return "";
    if (!b.why_no_gain.empty()) return say(Sentence::gain_not_known, {{"why", safe_name(b.why_no_gain)}});
    if (!is_known(b.gain_s)) return "";
    if (b.gain_s < balanced_below * b.loop_s) return say(Sentence::no_gain);
    if (!is_known(b.best_s + b.loop_s)) return "";
    const auto [split, who] = split_in_words(run);
    return say(Sentence::gain,
               {{"best", about(b.best_s)}, {"loop", about(b.loop_s)}, {"split", split}, {"who", who}});
}

std::string disturbed_in_words(const CoupledRun &run, const Component &component) {
    const NoProcessor &none = component.no_processor;
    return say(Sentence::disturbed, {{"name", name_in_words(run, component.id)},
                                     {"seconds", about(none.outside.max)},
                                     {"share", share_in_words(none.outside.max / component.balance.loop_s)},
                                     {"process", count_text(none.most_outside)}});
}

std::string awaited_text(const CoupledRun &run, const ComponentBalance &balance, std::int32_t id,
                         std::size_t columns) {
    if (balance.is_io_server) return id == 0 ? "data" : "data of " + short_name(run.component_name(id), columns);
    return id == 0 ? "not known" : short_name(run.component_name(id), columns);
}

InSeconds waiting_cell(const ComponentBalance &balance) {
    return {balance.waiting_s, balance.is_io_server && is_known(balance.waiting_s) ? "idle " : ""};
}

} // namespace cpl_lb
