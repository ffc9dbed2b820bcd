// What could be gained, and what stands apart: disturbed runs, I/O servers, computing that changes.
#include "tests/report/verdict_checker.hpp"

#include <algorithm>
#include <regex>

namespace cpl_lb::test {

void VerdictChecker::check_disturbed(const Figures &f) {
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

void VerdictChecker::check_gain(const Figures &f) {
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

void VerdictChecker::check_little_left() {
    for (const std::string outside : {"another MPI world", "not recorded"})
        expect(std::ranges::count(run_.component_names, outside) == 0, outside + " may wait");
    expect(waiting_of_all() < 0.02, "much is lost");
    expect(waiting_of_everybody(false) < 0.05, "much waits");
    expect(!(run_.balance.gain_s >= 0.05 * run_.balance.loop_s), "another split is shorter");
}

// ", xios and 2 more not counted": whoever has a loop and does not count.
void VerdictChecker::check_without(const std::string &words) {
    std::size_t all = 0, named_here = 0;
    for (const Component &c : run_.components) {
        if (!loops(c) || (counts(c) && !is_left_out(c))) continue;
        ++all;
        if (words.find(c.name) != std::string::npos) ++named_here;
    }
    expect(all == 0 ? words.empty() : named_here >= std::min<std::size_t>(all, 3), "others are not counted");
}

// All of them are named, or three and how many more.
void VerdictChecker::check_left_out(const Figures &f) {
    const std::string &names = f.at("names");
    std::size_t all = 0, named_here = 0;
    for (const Component &c : run_.components) {
        if (!is_left_out(c)) continue;
        ++all;
        if (names.find(c.name) != std::string::npos) ++named_here;
    }
    expect(all > 0 && named_here >= std::min<std::size_t>(all, 3), "others are left out");
    expect((f.at("wait") == "waits") == (all == 1), "wrongly counted");
    expect(is_share(f.at("share"), waiting_of_everybody(true)), "another share");
}

// Its clients wait for it: all of them are named, or three and how many more.
void VerdictChecker::check_server(const Figures &f, bool said_so) {
    const Component *server = named(f.at("name"));
    if (server == nullptr) return expect(false, "no such component");
    expect(server->balance.is_io_server && server->properties.is_io_server == said_so, "it is another thing");
    static const std::regex idle(R"(^, idle ([^%]+%) of its time \(([^%]+%) of all core time\))");
    const std::string rest = f.at("idle") + f.at("clients");
    std::smatch match;
    const double idle_s = server->balance.idle_s;
    expect(std::regex_search(rest, match, idle) == (std::isfinite(idle_s) && !server->balance.waiting_for.empty()),
           "its idle time is told, or is not");
    if (!match.empty()) {
        double all = 0;
        for (const Component &c : run_.components)
            if (loops(c)) all += static_cast<double>(c.cores()) * c.balance.loop_s;
        expect(is_share(match[1].str(), idle_s / server->balance.loop_s), "it idles another share");
        expect(is_share(match[2].str(), static_cast<double>(server->cores()) * idle_s / all), "of another core time");
    }
    const std::string clients = rest.substr(std::min(rest.find(';'), rest.size()));
    bool any = false;
    for (const Component &c : whole_.components)
        any = any || (counts(c) && wait(c, server->name) >= 0.02);
    expect(any == (clients.find(" of its time waiting for it") != std::string::npos),
           "others wait for it, or do not");
    static const std::regex client("(?:; |, | and )(.+?) spends ([^%]+%) of its time waiting for it");
    for (std::sregex_iterator at(clients.begin(), clients.end(), client), end; at != end; ++at) {
        const Component *c = named((*at)[1].str());
        expect(c != nullptr && is_share((*at)[2].str(), wait(*c, server->name)), "a client waits another share");
        longest_said_ = std::max(longest_said_, share_of((*at)[2].str()));
    }
}

// The times said are those of one component, and no other that takes part has a loop of half of its run.
void VerdictChecker::check_covers(const Figures &f) {
    bool any = false;
    for (const Component &c : run_.components) {
        if (!counts(c)) continue;
        const double before = c.balance.startup.length_s, loop = c.balance.loop_s,
                     after = c.balance.shutdown.length_s;
        if (!std::isfinite(before + after)) continue;
        expect(loop < before + after, "the loop of " + c.name + " is half of its run or more");
        any = any || (is_share(f.at("share"), loop / (before + loop + after)) &&
                      std::abs(std::stod(f.at("loop")) / loop - 1) < 0.006 &&
                      std::abs(std::stod(f.at("run")) / (before + loop + after) - 1) < 0.006);
    }
    expect(any, "no component has such a loop");
}

// The step is one of that component and takes so long, half of the steps take no longer than the median; and all that
// any step of the waiter waits longer than half of them is that share or more.
void VerdictChecker::check_few_steps(const Figures &f, bool computes) {
    const auto half = [](std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return 0.5 * (values[(values.size() - 1) / 2] + values[values.size() / 2]);
    };
    const auto steps = [](const Component &c, double Step::*figure) {
        std::vector<double> values;
        for (const Step &step : c.balance.steps)
            values.push_back(step.*figure);
        return values;
    };
    const Component *c = named(f.at("name"));
    const auto place = static_cast<std::size_t>(std::stoll(f.at("step")) - 1);
    if (c == nullptr || place >= c->balance.steps.size()) return expect(false, "no such step");
    const std::vector<double> times = steps(*c, computes ? &Step::computing_s : &Step::waiting_s);
    const auto near = [](double a, double b) { return std::abs(a - b) <= 0.006 * std::abs(b) + 1e-9; };
    expect(near(std::stod(f.at("longest")), times[place]), "that step takes another time");
    expect(near(std::stod(f.at("median")), half(times)), "half of the steps take another time");
    const Component *waiter = named(f.at("waiter"));
    if (waiter == nullptr) return expect(false, "no such waiter");
    const std::vector<double> waits = steps(*waiter, &Step::waiting_s);
    double more = 0, all = 0;
    for (const Component &one : run_.components)
        if (counts(one)) all += static_cast<double>(one.cores()) * one.balance.waiting_s;
    for (const double wait : waits)
        more += static_cast<double>(waiter->cores()) * std::max(0.0, wait - half(waits));
    expect(share_of(f.at("share")) <= more / all + 0.006 && share_of(f.at("share")) > 0.09, "another share");
    expect(10 * std::stoll(f.at("count")) <= std::stoll(f.at("steps")), "these are not few");
}

// Each time that is said lies between the shortest and the longest step, and they differ by a tenth or nearly so.
void VerdictChecker::check_change(const Figures &f) {
    const Component *c = named(f.at("name"));
    if (c == nullptr || c->balance.steps.empty()) return expect(false, "it has no steps");
    std::vector<double> computing_s;
    for (const Step &step : c->balance.steps)
        computing_s.push_back(step.computing_s / static_cast<double>(std::max<std::int64_t>(1, step.steps)));
    const auto [least, most] = std::minmax_element(computing_s.begin(), computing_s.end());
    const std::string &how = f.at("how");
    static const std::regex seconds(R"(([0-9.e+-]+) s\b)");
    double smallest = *most, largest = 0;
    for (auto at = std::sregex_iterator(how.begin(), how.end(), seconds); at != std::sregex_iterator(); ++at) {
        const double said = std::stod((*at)[1].str());
        expect(said >= *least * 0.995 - 1e-12 && said <= *most * 1.005, "no step computes for " + at->str());
        smallest = std::min(smallest, said);
        largest = std::max(largest, said);
    }
    expect(largest - smallest >= 0.09 * largest, "the parts are alike");
}

} // namespace cpl_lb::test
