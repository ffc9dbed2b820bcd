// Each condition of a verdict's sentence a second time, from the figures of the run alone.
#pragma once

#include "tests/report/sentence_check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb::test {

class VerdictChecker {
public:
    explicit VerdictChecker(const CoupledRun &run) : run_(run), whole_(with_ensembles(run)) {}

    [[nodiscard]] std::vector<std::string> check(const std::vector<std::string> &words);

private:
    using Figures = std::map<std::string, std::string>;
    void expect(bool holds, const std::string &what) {
        if (!holds) wrong_.push_back(id_ + ": " + what);
    }
    // An ensemble, or a component, also a member.
    [[nodiscard]] const Component *named(const std::string &name) const {
        for (const CoupledRun *run : {&whole_, &run_})
            for (const Component &c : run->components)
                if (c.name == name) return &c;
        return nullptr;
    }
    [[nodiscard]] static bool loops(const Component &c) {
        return c.balance.loop_s > 0 && std::isfinite(c.balance.waiting_s);
    }
    [[nodiscard]] static bool counts(const Component &c) {
        return loops(c) && !c.balance.is_io_server && !c.balance.waiting_for.empty();
    }
    [[nodiscard]] static std::string name_of(const CoupledRun &run, std::int32_t id) {
        return id >= 1 && static_cast<std::size_t>(id) <= run.component_names.size()
                   ? run.component_names[static_cast<std::size_t>(id) - 1]
                   : "one without a name";
    }
    // The share of c's loop in which it waits for `whom`.
    [[nodiscard]] double wait(const Component &c, const std::string &whom) const {
        double seconds = 0;
        for (const WaitingFor &w : c.balance.waiting_for) {
            const bool is_whom = name_of(whole_, w.component) == whom || name_of(run_, w.component) == whom ||
                                 (whom == "itself" && w.component == c.id);
            if (is_whom) seconds += w.get_s + w.put_s;
        }
        return seconds / c.balance.loop_s;
    }
    // Its partners reach each other through it alone, and it waits most of its time.
    [[nodiscard]] bool is_between(const Component &c) const;
    // One of these with one core, the least that it can have.
    [[nodiscard]] bool is_left_out(const Component &c) const;
    [[nodiscard]] double longest_wait() const;
    [[nodiscard]] double waiting_of_all() const;
    // The share of the core time of all loops in which components wait: of all of them, or of those that are left
    // out.
    [[nodiscard]] double waiting_of_everybody(bool left_out) const;
    [[nodiscard]] double path_of(const std::string &name) const {
        const Component *c = named(name);
        return c == nullptr ? unknown : c->balance.critical_share;
    }
    // The run with members of ensembles as one component each: "atmosphere_* (12 members)".
    [[nodiscard]] static CoupledRun with_ensembles(const CoupledRun &run);
    void check_one(const ReadSentence &sentence);
    void check_slow(const Figures &f, bool by_path);
    void check_waiters(const std::string &text, const std::string &whom);
    void check_mutual(const Figures &f);
    void check_equally_slow(const Figures &f);
    void check_disturbed(const Figures &f);
    void check_imbalance(const Figures &f);
    void check_imbalance_parts(const Figures &f, const Component &c, double told_share);
    void check_transfer(const Figures &f);
    void check_gain(const Figures &f);
    void check_little_left();
    void check_without(const std::string &words);
    void check_left_out(const Figures &f);
    void check_server(const Figures &f, bool said_so);
    void check_change(const Figures &f);
    void check_covers(const Figures &f);
    void check_few_steps(const Figures &f, bool computes);
    [[nodiscard]] bool changes_for_good() const {
        return std::any_of(run_.balance.computing_changes.begin(), run_.balance.computing_changes.end(),
                           [](const ComputingChange &change) { return change.parts.size() >= 2; });
    }

    const CoupledRun &run_;
    CoupledRun whole_; // with ensembles
    std::string id_;
    std::set<std::string> said_; // by their names in the table
    std::vector<std::string> wrong_;
    double longest_said_ = 0;
    bool nothing_known_ = false; // so the verdict says, and then no longest wait is due
};

} // namespace cpl_lb::test
