// Who waits for whom, and who is slow.
#include "tests/report/verdict_checker.hpp"

#include <regex>

namespace cpl_lb::test {

bool VerdictChecker::is_between(const Component &c) const {
    const auto own = std::ranges::find(run_.components, c.id, &Component::id);
    if (own != run_.components.end() && &*own != &c) return is_between(*own); // an ensemble as its first member
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

bool VerdictChecker::is_left_out(const Component &c) const {
    const auto own = std::ranges::find(run_.components, c.id, &Component::id); // an ensemble as its first member
    return own != run_.components.end() && is_between(*own) && own->cores() == 1;
}

double VerdictChecker::longest_wait() const {
    double longest = 0;
    for (const Component &c : whole_.components) {
        if (!counts(c) || is_left_out(c)) continue;
        for (const WaitingFor &w : c.balance.waiting_for)
            longest = std::max(longest, (w.get_s + w.put_s) / c.balance.loop_s);
    }
    return longest;
}

double VerdictChecker::waiting_of_all() const {
    double waiting = 0, all = 0;
    for (const Component &c : run_.components) {
        if (!counts(c) || is_left_out(c)) continue;
        waiting += static_cast<double>(c.cores()) * c.balance.waiting_s;
        all += static_cast<double>(c.cores()) * c.balance.loop_s;
    }
    return waiting / all;
}

double VerdictChecker::waiting_of_everybody(bool left_out) const {
    double waiting = 0, all = 0;
    for (const Component &c : run_.components) {
        if (!loops(c)) continue;
        all += static_cast<double>(c.cores()) * c.balance.loop_s;
        if (!left_out || is_left_out(c)) waiting += static_cast<double>(c.cores()) * c.balance.waiting_s;
    }
    return waiting / all;
}

// "ocean spends 23 % of its time waiting for it, through ice, land 12 % and 2 more"
void VerdictChecker::check_waiters(const std::string &text, const std::string &whom) {
    static const std::regex first(
        R"((.+?) spends ([^%]+%) of its time waiting for it(, through ([^,]+?))?(?=,| and |$).*)");
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
            if (const Component *c = named(name_of(whole_, w.component)); c != nullptr && is_between(*c))
                through += (w.get_s + w.put_s) / waiter->balance.loop_s;
        expect(is_share(match[2].str(), direct) || through > 0, "it waits another share");
    }
}

void VerdictChecker::check_slow(const Figures &f, bool by_path) {
    const Component *slow = named(f.at("slow"));
    if (slow == nullptr) return expect(false, "no such component");
    if (f.count("share") > 0)
        expect(is_share(f.at("share"), slow->balance.critical_share), "another share of the path");
    if (by_path) {
        expect(slow->balance.critical_share > 0, "it is not on the path");
        for (const Component &c : whole_.components)
            if (&c != slow && !is_between(c))
                expect(!(c.balance.critical_share >= slow->balance.critical_share - 0.05), c.name + " is as slow");
    } else {
        expect(!(slow->balance.waiting_s > 0.5 * slow->balance.loop_s), "it waits most of its time");
    }
    if (f.count("waiters") > 0) check_waiters(f.at("waiters"), f.at("slow"));
}

void VerdictChecker::check_mutual(const Figures &f) {
    const Component *one = named(f.at("one")), *other = named(f.at("other"));
    if (one == nullptr || other == nullptr) return expect(false, "no such component");
    const double there = wait(*one, other->name), back = wait(*other, one->name);
    expect(is_share(f.at("share"), there), "the first waits another share");
    expect(is_share(f.at("back"), back), "the second waits another share");
    expect(there >= 0.02 && back >= 0.02 && back >= 0.5 * there, "one of them hardly waits");
    longest_said_ = std::max({longest_said_, share_of(f.at("share")), share_of(f.at("back"))});
}

void VerdictChecker::check_transfer(const Figures &f) {
    const Component *slow = named(f.at("slow")), *waiter = named(f.at("waiter"));
    if (slow == nullptr || waiter == nullptr) return expect(false, "no such component");
    const double beside = (run_.balance.loop_s - run_.balance.on_path_s) / run_.balance.loop_s;
    expect(is_share(f.at("share"), beside), "another share of the path is no computing");
    expect(is_share(f.at("second"), slow->balance.critical_share), "another share of the path");
    for (const Component &c : whole_.components) {
        if (!std::isfinite(c.balance.critical_share)) continue;
        expect(c.balance.critical_share < beside - 0.05, c.name + " makes up as much");
        expect(c.balance.critical_share <= slow->balance.critical_share, c.name + " computes more on the path");
    }
    expect(is_share(f.at("wait"), wait(*waiter, f.at("awaited"))), "it waits another share");
    longest_said_ = std::max(longest_said_, share_of(f.at("wait")));
    static const std::regex bytes(R"( \(between (.+) and (.+) ([^ ]+) MiB a step, at ([^ ]+) MiB/s\))");
    std::smatch found;
    if (!std::regex_match(f.at("bytes"), found, bytes)) return expect(false, "no bytes and no rate");
    expect(found[1] == waiter->name && found[2] == f.at("awaited"), "the bytes of two others");
    // The bytes of a step go in its part that is no computing.
    const double step_s = waiter->balance.loop_s / static_cast<double>(waiter->balance.step_count);
    const double rate = std::stod(found[3]) / (step_s * beside);
    expect(std::abs(std::stod(found[4]) / rate - 1) < 0.02, "another rate");
}

} // namespace cpl_lb::test
