// Members of ensembles as one component, worked out a second time from the names and the figures of the members.
#include "tests/report/verdict_checker.hpp"

#include <regex>

namespace cpl_lb::test {
namespace {

bool is_of(const std::vector<std::size_t> &places, const CoupledRun &run, std::int32_t id) {
    return std::any_of(places.begin(), places.end(), [&](std::size_t i) { return run.components[i].id == id; });
}

bool send_to_each_other(const std::vector<std::size_t> &places, const CoupledRun &run) {
    for (const std::size_t i : places) {
        for (const WaitingFor &w : run.components[i].balance.waiting_for) {
            const bool by_message = w.put_s > 0 || w.get_s - w.sync_s > 1e-6 * w.sync_s;
            if (by_message && w.component != run.components[i].id && is_of(places, run, w.component)) return true;
        }
    }
    return false;
}

// By the name with a star: "atmosphere_*". The models of the simulator have one number in their names.
std::map<std::string, std::vector<std::size_t>> groups_of(const CoupledRun &run) {
    static const std::regex number("[0-9]+");
    std::map<std::string, std::vector<std::size_t>> groups;
    const std::string &choice = run.run.members;
    for (std::size_t i = 0; i < run.components.size(); ++i) {
        const std::string &name = run.components[i].name;
        const std::string starred = std::regex_replace(name, number, "*");
        if (std::count(starred.begin(), starred.end(), '*') == 1 && !run.components[i].balance.is_io_server &&
            (choice.empty() || choice.find(starred) != std::string::npos))
            groups[starred].push_back(i);
    }
    std::erase_if(groups, [&](const auto &one) {
        return one.second.size() < (choice.empty() ? 3 : 2) ||
               (choice.empty() && send_to_each_other(one.second, run));
    });
    return groups;
}

// The mean of those that know it.
double mean_of(const CoupledRun &run, const std::vector<std::size_t> &places, double ComponentBalance::*figure) {
    double sum = 0, count = 0;
    for (const std::size_t i : places) {
        if (!std::isfinite(run.components[i].balance.*figure)) continue;
        sum += run.components[i].balance.*figure;
        ++count;
    }
    return count > 0 ? sum / count : unknown;
}

} // namespace

CoupledRun VerdictChecker::with_ensembles(const CoupledRun &run) {
    CoupledRun whole;
    whole.component_names = run.component_names;
    whole.components = run.components;
    for (const auto &[name, places] : groups_of(run)) {
        const std::int32_t id = run.components[places.front()].id;
        const std::string own = name + " (" + std::to_string(places.size()) + " members)";
        for (Component &c : whole.components) // who waits for one of them waits for all
            for (WaitingFor &w : c.balance.waiting_for)
                if (is_of(places, run, w.component)) w.component = id;
        Component one = whole.components[places.front()];
        ComponentBalance &b = one.balance;
        one.name = whole.component_names.at(static_cast<std::size_t>(id) - 1) = own;
        b.loop_s = mean_of(run, places, &ComponentBalance::loop_s);
        b.waiting_s = mean_of(run, places, &ComponentBalance::waiting_s);
        b.computing_s = mean_of(run, places, &ComponentBalance::computing_s);
        b.critical_share = mean_of(run, places, &ComponentBalance::critical_share);
        double on_path = 0, looped = 0;
        b.waiting_for.clear();
        std::map<std::int32_t, WaitingFor> sums;
        one.own_cores = 0;
        for (const std::size_t i : places) {
            const Component &m = whole.components[i];
            if (std::isfinite(m.balance.critical_share)) on_path += m.balance.critical_share;
            if (loops(m)) ++looped;
            one.own_cores += m.cores();
            for (const WaitingFor &w : m.balance.waiting_for) {
                sums[w.component].get_s += w.get_s;
                sums[w.component].put_s += w.put_s;
            }
        }
        if (std::isfinite(b.critical_share)) b.critical_share = on_path;
        for (const auto &[whom, sum] : sums)
            b.waiting_for.push_back({whom, sum.get_s / looped, sum.put_s / looped});
        for (const std::size_t i : places)
            whole.components[i].id = 0; // left out below
        whole.components[places.front()] = std::move(one);
    }
    std::erase_if(whole.components, [](const Component &c) { return c.id == 0; });
    return whole;
}

} // namespace cpl_lb::test
