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
    explicit VerdictChecker(const CoupledRun &run) : run_(run) {}

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
    // The share of c's loop in which it waits for `whom`.
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
    // Of a component, or of all members of a group.
    [[nodiscard]] double path_of(const std::string &name) const {
        if (const Component *c = named(name); c != nullptr) return c->balance.critical_share;
        double sum = unknown;
        for (const Component &c : run_.components)
            if (folded(c.id) == name && std::isfinite(c.balance.critical_share))
                sum = (std::isfinite(sum) ? sum : 0) + c.balance.critical_share;
        return sum;
    }
    // The name of its group, or its own.
    [[nodiscard]] std::string folded(std::int32_t id) const;
    [[nodiscard]] double longest_folded_wait() const;
    [[nodiscard]] double folded_wait(const std::string &waiter, const std::string &awaited) const;
    [[nodiscard]] bool decides_as_a_whole(const MemberGroup &group) const;
    [[nodiscard]] bool is_last_for_most(const MemberGroup &group) const;
    void check_one(const ReadSentence &sentence);
    void check_slow(const Figures &f, bool by_path);
    void check_waiters(const std::string &text, const std::string &whom);
    void check_mutual(const Figures &f);
    void check_equally_slow(const Figures &f);
    void check_disturbed(const Figures &f);
    void check_imbalance(const Figures &f);
    void check_gain(const Figures &f);
    void check_server(const Figures &f, bool said_so);
    void check_change(const Figures &f);
    void check_members_wait(const Figures &f);
    void check_meeting_points(const MemberGroup &group, std::string text);
    void check_member_parts(const MemberGroup &group, const std::string &text);
    void check_cut(const MemberGroup &group, const EnsembleMember &last, const std::string &text);
    void check_members_startup(const Figures &f);
    void check_members_on_path(const Figures &f);
    void check_members_longest_wait(const Figures &f);
    void expect_all_groups();
    [[nodiscard]] bool changes_for_good() const {
        return std::any_of(run_.balance.computing_changes.begin(), run_.balance.computing_changes.end(),
                           [](const ComputingChange &change) { return change.parts.size() >= 2; });
    }

    const CoupledRun &run_;
    std::string id_;
    std::vector<std::string> wrong_;
    std::set<std::string> said_groups_; // of members that wait for each other
    double longest_said_ = 0;
    std::set<std::string> said_ids_;
    bool nothing_known_ = false; // so the verdict says, and then no longest wait is due
};

} // namespace cpl_lb::test
