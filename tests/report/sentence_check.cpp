// Texts become regular expressions; conditions are written down a second time, from the figures of the run alone.
#include "tests/report/sentence_check.hpp"

#include "report/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <regex>
#include <set>

namespace cpl_lb::test {
namespace {

struct Pattern {
    std::string id;
    std::regex regex;
    std::vector<std::string> names; // of its groups
};

// "{slow} is the slow side" becomes "(.+?) is the slow side".
Pattern pattern_of(const SentenceRow &row) {
    Pattern pattern{std::string(row.id), {}, {}};
    std::string text;
    std::string_view rest = row.text;
    while (!rest.empty()) {
        if (rest.front() == '{') {
            const auto close = rest.find('}');
            pattern.names.emplace_back(rest.substr(1, close - 1));
            text += R"(((?:(?!\. ).)*?))"; // within one sentence
            rest.remove_prefix(close + 1);
            continue;
        }
        if (std::string_view(R"(.[]()*+?^$|\)").find(rest.front()) != std::string_view::npos) text += '\\';
        text += rest.front();
        rest.remove_prefix(1);
    }
    pattern.regex = std::regex(text + "( .*)?");
    return pattern;
}

const std::vector<Pattern> &patterns() {
    static const std::vector<Pattern> all = [] {
        std::vector<Pattern> made;
        for (const SentenceRow &row : sentence_table())
            if (!row.id.starts_with("part_")) made.push_back(pattern_of(row));
        return made;
    }();
    return all;
}

bool read_from(const std::string &text, std::vector<ReadSentence> &read) {
    if (text.empty()) return true;
    for (const Pattern &pattern : patterns()) {
        std::smatch match;
        if (!std::regex_match(text, match, pattern.regex)) continue;
        ReadSentence &one = read.emplace_back();
        one.id = pattern.id;
        for (std::size_t i = 0; i < pattern.names.size(); ++i)
            one.figures.emplace(pattern.names[i], match[i + 1].str());
        const std::string rest = match[match.size() - 1].str();
        if (read_from(rest.empty() ? rest : rest.substr(1), read)) return true;
        read.pop_back();
    }
    return false;
}

// Whether "23 %", "1.3 %" or "less than 0.1 %" is that share, as rounded. A little more, for sums in another order.
bool is_share(const std::string &text, double share) {
    if (!std::isfinite(share)) return text == "an unknown share";
    if (text == "less than 0.1 %") return share < 0.00051;
    const bool whole = text.find('.') == std::string::npos;
    return std::abs(std::stod(text) - 100 * share) <= (whole ? 0.501 : 0.0501);
}
double share_of(const std::string &text) {
    return text == "less than 0.1 %" ? 0 : std::stod(text) / 100;
}

class Checker {
public:
    explicit Checker(const CoupledRun &run) : run_(run) {}

    [[nodiscard]] std::vector<std::string> check(const std::vector<std::string> &words);

private:
    using Figures = std::map<std::string, std::string>;
    void expect(bool holds, const std::string &what) {
        if (!holds) wrong_.push_back(id_ + ": " + what);
    }
    [[nodiscard]] const Component *named(const std::string &name) const {
        for (const Component &c : run_.components)
            if (c.name == name) return &c;
        return nullptr;
    }
    [[nodiscard]] static bool loops(const Component &c) {
        return c.balance.loop_s > 0 && std::isfinite(c.balance.waiting_s);
    }
    [[nodiscard]] static bool counts(const Component &c) {
        return loops(c) && !c.balance.is_io_server && !c.balance.waiting_for.empty();
    }
    [[nodiscard]] std::string name_of(std::int32_t id) const {
        return id >= 1 && static_cast<std::size_t>(id) <= run_.component_names.size()
                   ? run_.component_names[static_cast<std::size_t>(id) - 1]
                   : "one without a name";
    }
    // Of its loop, for that one.
    [[nodiscard]] double wait(const Component &c, const std::string &whom) const {
        double seconds = 0;
        for (const WaitingFor &w : c.balance.waiting_for)
            if (name_of(w.component) == whom || (whom == "itself" && w.component == c.id))
                seconds += w.get_s + w.put_s;
        return seconds / c.balance.loop_s;
    }
    // Its partners reach each other through it alone, and it waits most of its time.
    [[nodiscard]] bool is_between(const Component &c) const;
    [[nodiscard]] double longest_wait() const;
    [[nodiscard]] double waiting_of_all() const;
    [[nodiscard]] double path_of(const std::string &name) const {
        const Component *c = named(name);
        return c == nullptr ? unknown : c->balance.critical_share;
    }
    void check_one(const ReadSentence &sentence);
    void check_slow(const Figures &f);
    void check_waiters(const std::string &text, const std::string &whom);
    void check_mutual(const Figures &f);
    void check_disturbed(const Figures &f);
    void check_gain(const Figures &f);
    void check_server(const Figures &f, bool said_so);
    void check_change(const Figures &f);
    [[nodiscard]] bool changes_for_good() const {
        return std::any_of(run_.balance.computing_changes.begin(), run_.balance.computing_changes.end(),
                           [](const ComputingChange &change) { return change.parts.size() >= 2; });
    }

    const CoupledRun &run_;
    std::string id_;
    std::vector<std::string> wrong_;
    double longest_said_ = 0;
};

bool Checker::is_between(const Component &c) const {
    if (!counts(c) || c.id == run_.balance.slow_side || !(c.balance.waiting_s > 0.5 * c.balance.loop_s)) return false;
    const auto exchange = [&](const Component &a, const Component &b) {
        const auto has = [](const Component &one, std::int32_t id) {
            return std::any_of(one.balance.waiting_for.begin(), one.balance.waiting_for.end(),
                               [&](const WaitingFor &w) { return w.component == id; });
        };
        return has(a, b.id) || has(b, a.id);
    };
    for (const Component &a : run_.components) {
        for (const Component &b : run_.components) {
            if (a.id >= b.id || a.id == c.id || b.id == c.id) continue;
            if (a.balance.is_io_server || b.balance.is_io_server) continue;
            if (exchange(a, c) && exchange(b, c) && !exchange(a, b)) return true;
        }
    }
    return false;
}

double Checker::longest_wait() const {
    double longest = 0;
    for (const Component &c : run_.components) {
        if (!counts(c) || is_between(c)) continue;
        for (const WaitingFor &w : c.balance.waiting_for)
            longest = std::max(longest, (w.get_s + w.put_s) / c.balance.loop_s);
    }
    return longest;
}

double Checker::waiting_of_all() const {
    double waiting = 0, all = 0;
    for (const Component &c : run_.components) {
        if (!counts(c) || is_between(c)) continue;
        waiting += static_cast<double>(c.cores()) * c.balance.waiting_s;
        all += static_cast<double>(c.cores()) * c.balance.loop_s;
    }
    return waiting / all;
}

// "ocean waits 23 % of its time for it, through ice, land 12 % and 2 more"
void Checker::check_waiters(const std::string &text, const std::string &whom) {
    static const std::regex first(R"((.+?) waits ([^%]+%) of its time for it(, through ([^,]+?))?(?=,| and |$).*)");
    std::smatch match;
    if (!std::regex_match(text, match, first)) return expect(false, "no waiter in '" + text + "'");
    const Component *waiter = named(match[1].str());
    if (waiter == nullptr) return expect(false, "no component " + match[1].str());
    const double share = share_of(match[2].str()), direct = wait(*waiter, whom);
    longest_said_ = std::max(longest_said_, share);
    expect(share >= 0.0195, "waits too little to be named");
    expect(share + 0.006 >= direct, match[1].str() + " waits longer for it");
    expect(share <= waiter->balance.waiting_s / waiter->balance.loop_s + 0.006, "more than it waits in all");
    if (!match[3].matched && !is_between(*waiter)) {
        double through = 0;
        for (const WaitingFor &w : waiter->balance.waiting_for)
            if (const Component *c = named(name_of(w.component)); c != nullptr && is_between(*c))
                through += (w.get_s + w.put_s) / waiter->balance.loop_s;
        expect(is_share(match[2].str(), direct) || through > 0, "it waits another share");
    }
}

void Checker::check_slow(const Figures &f) {
    const Component *slow = named(f.at("slow"));
    if (slow == nullptr) return expect(false, "no such component");
    if (f.count("share") > 0) {
        expect(is_share(f.at("share"), slow->balance.critical_share), "another share of the path");
        for (const Component &c : run_.components)
            if (&c != slow && !is_between(c))
                expect(!(c.balance.critical_share >= slow->balance.critical_share - 0.05), c.name + " is as slow");
    } else {
        expect(!(slow->balance.waiting_s > 0.5 * slow->balance.loop_s), "it waits most of its time");
    }
    if (f.count("waiters") > 0) check_waiters(f.at("waiters"), f.at("slow"));
}

void Checker::check_mutual(const Figures &f) {
    const Component *one = named(f.at("one")), *other = named(f.at("other"));
    if (one == nullptr || other == nullptr) return expect(false, "no such component");
    const double there = wait(*one, other->name), back = wait(*other, one->name);
    expect(is_share(f.at("share"), there), "the first waits another share");
    expect(is_share(f.at("back"), back), "the second waits another share");
    expect(there >= 0.02 && back >= 0.02 && back >= 0.5 * there, "one of them hardly waits");
    longest_said_ = std::max({longest_said_, share_of(f.at("share")), share_of(f.at("back"))});
}

void Checker::check_disturbed(const Figures &f) {
    const Component *c = named(f.at("name"));
    if (c == nullptr) return expect(false, "no such component");
    const NoProcessor &none = c->no_processor;
    expect(none.outside.max >= 0.05 * c->balance.loop_s, "it may have waited all that time");
    expect(is_share(f.at("share"), none.outside.max / c->balance.loop_s), "another share");
    expect(std::to_string(none.most_outside) == f.at("process"), "another process");
    bool awaited = c->id == run_.balance.slow_side;
    for (const Component &other : run_.components)
        if (counts(other)) awaited = awaited || wait(other, c->name) >= 0.02;
    expect(awaited, "nobody waits for it");
}

void Checker::check_gain(const Figures &f) {
    const RunBalance &b = run_.balance;
    expect(b.best_s <= 0.98 * b.loop_s, "no gain");
    expect(std::abs(std::stod(f.at("best")) / b.best_s - 1) < 0.006, "another length at best");
    expect(std::abs(std::stod(f.at("loop")) / b.loop_s - 1) < 0.006, "another length now");
    std::int64_t now = 0, then = 0;
    for (std::size_t c = 0; c < b.best_cores.size(); ++c) {
        if (b.best_cores[c] == 0) continue;
        then += b.best_cores[c];
        now += run_.components[c].cores();
    }
    expect(then <= now, "more cores than there are");
}

// Its clients wait for it: all of them are named, or three and how many more.
void Checker::check_server(const Figures &f, bool said_so) {
    const Component *server = named(f.at("name"));
    if (server == nullptr) return expect(false, "no such component");
    expect(server->balance.is_io_server && server->properties.is_io_server == said_so, "it is another thing");
    static const std::regex idle("^, idle ([^%]+%) of its time");
    const std::string rest = f.at("idle") + f.at("clients");
    std::smatch match;
    if (std::regex_search(rest, match, idle))
        expect(is_share(match[1].str(), server->balance.idle_s / server->balance.loop_s), "it idles another share");
    const std::string clients = rest.substr(std::min(rest.find(';'), rest.size()));
    bool any = false;
    for (const Component &c : run_.components)
        any = any || (counts(c) && wait(c, server->name) >= 0.02);
    expect(any == (clients.find(" of its time for it") != std::string::npos), "others wait for it, or do not");
    static const std::regex client("(?:; |, | and )(.+?) waits ([^%]+%) of its time for it");
    for (std::sregex_iterator at(clients.begin(), clients.end(), client), end; at != end; ++at) {
        const Component *c = named((*at)[1].str());
        expect(c != nullptr && is_share((*at)[2].str(), wait(*c, server->name)), "a client waits another share");
        longest_said_ = std::max(longest_said_, share_of((*at)[2].str()));
    }
}

// Each time that is said lies between the shortest and the longest step, and they differ by a tenth or nearly so.
void Checker::check_change(const Figures &f) {
    const Component *c = named(f.at("name"));
    if (c == nullptr || c->balance.steps.empty()) return expect(false, "it has no steps");
    std::vector<double> computing_s;
    for (const Step &step : c->balance.steps)
        computing_s.push_back(step.computing_s / static_cast<double>(std::max<std::int64_t>(1, step.steps)));
    const auto [least, most] = std::minmax_element(computing_s.begin(), computing_s.end());
    const std::string &how = f.at("how");
    static const std::regex seconds(R"(([0-9.e+-]+) s)");
    double smallest = *most, largest = 0;
    for (auto at = std::sregex_iterator(how.begin(), how.end(), seconds); at != std::sregex_iterator(); ++at) {
        const double said = std::stod((*at)[1].str());
        expect(said >= *least * 0.995 - 1e-12 && said <= *most * 1.005, "no step computes for " + at->str());
        smallest = std::min(smallest, said);
        largest = std::max(largest, said);
    }
    expect(largest - smallest >= 0.09 * largest, "the parts are alike");
}

void Checker::check_one(const ReadSentence &sentence) {
    id_ = sentence.id;
    const Figures &f = sentence.figures;
    const RunBalance &b = run_.balance;
    const auto any_server_idle = [&] {
        double idle = 0, all = 0;
        for (const Component &c : run_.components) {
            if (!loops(c)) continue;
            all += static_cast<double>(c.cores()) * c.balance.loop_s;
            if (std::isfinite(c.balance.idle_s)) idle += static_cast<double>(c.cores()) * c.balance.idle_s;
        }
        return idle / all;
    };
    const std::map<std::string, std::function<void()>> checks = {
        {"slow_side", [&] { check_slow(f); }},
        {"slow_side_alone", [&] { check_slow(f); }},
        {"slow_of_two", [&] { check_slow(f); }},
        {"slow_by_waits", [&] { check_slow(f); }},
        {"mutual", [&] { check_mutual(f); }},
        {"no_slow_side",
         [&] {
             expect(is_share(f.at("share"), path_of(f.at("one"))), "the first has another share");
             expect(is_share(f.at("second"), path_of(f.at("other"))), "the second has another share");
             expect(std::abs(path_of(f.at("one")) - path_of(f.at("other"))) <= 0.05 + 1e-9, "one is clearly slow");
         }},
        {"longest_wait",
         [&] {
             const Component *waiter = named(f.at("waiter"));
             expect(waiter != nullptr && is_share(f.at("share"), wait(*waiter, f.at("awaited"))), "another share");
             longest_said_ = std::max(longest_said_, share_of(f.at("share")));
         }},
        {"unrecorded",
         [&] {
             expect(named(f.at("name")) == nullptr, "it was recorded");
             check_waiters(f.at("waiters"), f.at("name") == "A program" ? "not recorded" : f.at("name"));
         }},
        {"slow_not_known",
         [&] {
             const Component *hub = named(f.at("hub"));
             expect(hub != nullptr && hub->balance.waiting_s > 0.5 * hub->balance.loop_s,
                    "it computes most of its time");
             check_waiters(f.at("waiters"), f.at("hub"));
         }},
        {"balanced", [&] { expect(longest_wait() < 0.02, "somebody waits"); }},
        {"balanced_except", [&] { expect(longest_wait() < 0.02, "somebody waits"); }},
        {"hardly_waits", [&] { expect(longest_wait() < 0.02, "it waits"); }},
        {"waiting_share",
         [&] {
             expect(waiting_of_all() >= 0.02, "little waits");
             expect(is_share(f.at("share"), waiting_of_all()), "another share");
         }},
        {"its_cores_wait", [&] { expect(is_share(f.at("share"), waiting_of_all()), "another share"); }},
        {"little_left",
         [&] {
             expect(waiting_of_all() < 0.02 && any_server_idle() < 0.05, "much is left");
             expect(is_share(f.at("share"), waiting_of_all()), "another share");
         }},
        {"idle_left",
         [&] {
             expect(any_server_idle() >= 0.05, "nobody idles");
             expect(is_share(f.at("idle"), any_server_idle()), "another share");
         }},
        {"gain", [&] { check_gain(f); }},
        {"no_gain", [&] { expect(b.best_s > 0.98 * b.loop_s, "another split is shorter"); }},
        {"gain_not_known", [&] { expect(!std::isfinite(b.best_s), "it is known"); }},
        {"server", [&] { check_server(f, true); }},
        {"only_takes", [&] { check_server(f, false); }},
        {"disturbed", [&] { check_disturbed(f); }},
        {"inside_mpi", [&] { expect(share_of(f.at("share")) + share_of(f.at("useful")) <= 1.01, "more than all"); }},
        {"inside_mpi_beside",
         [&] { expect(share_of(f.at("share")) + share_of(f.at("useful")) <= 1.01, "more than all"); }},
        {"nothing_coupled",
         [&] {
             for (const Component &c : run_.components)
                 expect(!loops(c) || c.balance.waiting_for.empty(), c.name + " has exchanges");
         }},
        {"not_judged",
         [&] {
             expect(std::any_of(run_.components.begin(), run_.components.end(),
                                [](const Component &c) { return !loops(c); }),
                    "all have a loop");
         }},
        {"nothing_recorded", [&] { expect(run_.components.empty(), "there are components"); }},
        {"processes_missing", [&] { expect(std::stoll(f.at("count")) == run_.run.missing_count, "another number"); }},
        {"recovered", [&] { expect(run_.run.origin == Origin::recovered, "it was not"); }},
        {"imported", [&] { expect(run_.run.origin == Origin::imported, "it was not"); }},
        {"dropped",
         [&] {
             const Component *c = named(f.at("name"));
             expect(c != nullptr && std::to_string(c->dropped_events) == f.at("count"), "another number");
         }},
        {"other_end_not_known", [&] { longest_said_ = std::max(longest_said_, share_of(f.at("share"))); }},
        {"computing_changes", [&] { check_change(f); }},
        {"more_change",
         [&] {
             const auto for_good = static_cast<std::size_t>(
                 std::count_if(b.computing_changes.begin(), b.computing_changes.end(),
                               [](const ComputingChange &change) { return change.parts.size() >= 2; }));
             const std::size_t others = b.computing_changes.size() - for_good, more = std::stoul(f.at("count"));
             expect(more + 3 == for_good || more + 3 == others, "another number changes");
         }},
        {"figures_of_whole_loop",
         [&] {
             expect(changes_for_good(), "nothing changes for good");
             expect(!std::isfinite(b.best_s), "there is a best split");
         }},
        {"whole_loop", [&] { expect(changes_for_good(), "nothing changes for good"); }},
        {"later_no_gain",
         [&] {
             expect(changes_for_good(), "nothing changes for good");
             expect(b.later.best_s > 0.98 * b.later.loop_s, "another split is shorter");
         }},
        {"later_gain",
         [&] {
             expect(changes_for_good(), "nothing changes for good");
             expect(b.later.best_s <= 0.98 * b.later.loop_s, "no split is much shorter");
             expect(std::abs(std::stod(f.at("seconds")) / b.later.best_s - 1) < 0.006, "another time");
         }},
        {"other_threads", [&] { expect(run_.run.elsewhere_calls > 0, "there were no such calls"); }},
        {"with_itself", [&] { longest_said_ = std::max(longest_said_, share_of(f.at("share"))); }}};
    const auto found = checks.find(sentence.id);
    if (found == checks.end()) return expect(false, "no sentence of a verdict");
    found->second();
}

std::vector<std::string> Checker::check(const std::vector<std::string> &words) {
    for (const std::string &text : words) {
        std::vector<ReadSentence> read;
        if (!read_from(text, read)) wrong_.push_back("not in the table: " + text);
        for (const ReadSentence &one : read)
            check_one(one);
    }
    id_ = "all";
    if (longest_wait() >= 0.02) expect(longest_said_ >= longest_wait() - 0.006, "a longer wait is not told");
    return wrong_;
}

} // namespace

std::vector<ReadSentence> read_sentences(const std::string &text) {
    std::vector<ReadSentence> read;
    return read_from(text, read) ? read : std::vector<ReadSentence>();
}

std::vector<std::string> what_is_false(const CoupledRun &run, const std::vector<std::string> &words) {
    return Checker(run).check(words);
}

} // namespace cpl_lb::test
