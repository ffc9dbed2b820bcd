// Each process goes on until it waits for a message that is not there; what it waited for is kept, and leads back
// from the end of the run to its begin.
#include "tests/programs/program.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace cpl_lb::programs {
namespace {

constexpr std::int64_t call_ns = 500;      // of a call that waits for nobody
constexpr std::int64_t transfer_ns = 2000; // of a message

// Where a process was when something happened.
struct Moment {
    int process = -1;
    std::size_t stretch = 0;   // of its computing
    std::int64_t computed = 0; // in that stretch until then
};

// A stretch of a process between two waits: computing, and why it began when it did.
struct Stretch {
    std::int64_t computing = 0;
    Moment because; // process -1: it never waited before
};

struct Sent {
    std::int64_t there = 0; // when it can be received
    Moment by;
};

class Replayer {
public:
    Replayer(const Program &program, std::vector<double> factors)
        : p_(program), factors_(std::move(factors)), now_(p_.processes.size()), next_(p_.processes.size()),
          stretches_(p_.processes.size(), std::vector<Stretch>(1)) {
        result_.calls.resize(p_.processes.size());
        if (factors_.empty()) factors_.assign(p_.components.size(), 1.0);
    }

    Truth run() {
        bool all = false;
        while (!all) {
            bool any = false;
            all = true;
            for (std::size_t p = 0; p < p_.processes.size(); ++p) {
                while (next_[p] < p_.processes[p].size() && step(static_cast<int>(p)))
                    any = true;
                all = all && next_[p] == p_.processes[p].size();
            }
            if (!any && !all) throw std::logic_error("this program waits for ever: " + p_.words);
        }
        finish();
        return std::move(result_);
    }

private:
    using Channel = std::tuple<int, int, int>; // from, to, tag

    bool step(int p) {
        const auto at = static_cast<std::size_t>(p);
        const Action &a = p_.processes[at][next_[at]];
        switch (a.what) {
        case Action::What::compute: {
            const auto ns = static_cast<std::int64_t>(static_cast<double>(a.ns) *
                                                      factors_[static_cast<std::size_t>(p_.component_of[at])]);
            now_[at] += ns;
            stretches_[at].back().computing += ns;
            break;
        }
        case Action::What::send: {
            const std::int64_t begin = now_[at];
            now_[at] += call_ns;
            for (const Action::Message &m : a.messages) {
                channels_[{p, m.peer, m.tag}].push_back({now_[at] + transfer_ns, moment_of(p)});
                ++result_.messages;
            }
            result_.calls[at].push_back({a.what, begin, now_[at], a.messages});
            break;
        }
        case Action::What::receive:
        case Action::What::probe:
            if (!receive(p, a)) return false;
            break;
        case Action::What::meet:
            if (!meet(p, a)) return false;
            break;
        }
        ++next_[at];
        return true;
    }

    // From anybody: that which is there first, of those who may still send it. All senders must have come as far as
    // it, or be where they cannot send before it: they are asked for their clocks.
    bool receive(int p, const Action &a) {
        const auto at = static_cast<std::size_t>(p);
        std::vector<Action::Message> messages = a.messages;
        for (Action::Message &m : messages) {
            if (m.peer < 0) m.peer = first_sender(p, a.component, m.tag);
            if (m.peer < 0 || channels_[{m.peer, p, m.tag}].empty()) return false;
        }
        const std::int64_t begin = now_[at];
        std::int64_t end = begin + call_ns;
        Moment because;
        for (const Action::Message &m : messages) {
            std::deque<Sent> &channel = channels_[{m.peer, p, m.tag}];
            if (channel.front().there > end) {
                end = channel.front().there;
                because = channel.front().by;
            }
            if (a.what == Action::What::receive) channel.pop_front();
        }
        go_on(p, end, because);
        result_.calls[at].push_back({a.what, begin, end, messages});
        return true;
    }
    int first_sender(int p, int component, int tag) {
        int first = -1;
        std::int64_t there = 0;
        for (const int q : p_.members(component)) {
            const std::deque<Sent> &channel = channels_[{q, p, tag}];
            if (channel.empty() || (first >= 0 && channel.front().there >= there)) continue;
            first = q;
            there = channel.front().there;
        }
        if (first < 0) return -1;
        for (const int q : p_.members(component)) {
            const auto of = static_cast<std::size_t>(q);
            if (channels_[{q, p, tag}].empty() && may_still_send(q, p, tag) && now_[of] < there && can_go_on(q))
                return -1;
        }
        return first;
    }
    [[nodiscard]] bool may_still_send(int q, int p, int tag) const {
        const std::vector<Action> &all = p_.processes[static_cast<std::size_t>(q)];
        return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(next_[static_cast<std::size_t>(q)]), all.end(),
                           [&](const Action &a) {
                               return a.what == Action::What::send &&
                                      std::any_of(
                                          a.messages.begin(), a.messages.end(),
                                          [&](const Action::Message &m) { return m.peer == p && m.tag == tag; });
                           });
    }
    // What it does next depends on nobody.
    [[nodiscard]] bool can_go_on(int q) const {
        const auto of = static_cast<std::size_t>(q);
        if (next_[of] >= p_.processes[of].size()) return false;
        const Action &a = p_.processes[of][next_[of]];
        if (a.what == Action::What::compute || a.what == Action::What::send) return true;
        for (const Action::Message &m : a.messages) {
            const auto channel = channels_.find({m.peer, q, m.tag});
            if (m.peer < 0 || channel == channels_.end() || channel->second.empty()) return false;
        }
        return a.what != Action::What::meet;
    }

    // A barrier of all, of two components, or of one, which no recorder takes for an exchange.
    struct Meeting {
        std::map<int, std::int64_t> came; // by process
        std::set<int> left;               // the others have still to go on
        Moment last;
    };
    bool meet(int p, const Action &a) {
        const auto at = static_cast<std::size_t>(p);
        Meeting &m = meetings_[{a.component, a.other}];
        if (m.left.count(p) > 0) return false;
        const std::size_t size =
            a.component < 0 ? p_.processes.size()
                            : p_.members(a.component).size() + (a.other < 0 ? 0 : p_.members(a.other).size());
        m.came.try_emplace(p, now_[at]);
        if (m.came.size() < size) return false;
        const auto last = std::max_element(m.came.begin(), m.came.end(),
                                           [](const auto &a, const auto &b) { return a.second < b.second; });
        if (m.left.empty()) m.last = moment_of(last->first);
        const std::int64_t begin = m.came[p];
        go_on(p, last->second + transfer_ns, last->first == p ? Moment{} : m.last);
        if (a.component < 0 || a.other >= 0)
            result_.calls[at].push_back({Action::What::meet, begin, now_[at], {}, a.component, a.other});
        m.left.insert(p);
        if (m.left.size() == size) m = {};
        return true;
    }

    [[nodiscard]] Moment moment_of(int p) const {
        const std::vector<Stretch> &mine = stretches_[static_cast<std::size_t>(p)];
        return {p, mine.size() - 1, mine.back().computing};
    }
    void go_on(int p, std::int64_t end, const Moment &because) {
        const auto at = static_cast<std::size_t>(p);
        now_[at] = end;
        if (because.process >= 0) stretches_[at].push_back({0, because});
    }

    void finish() {
        const std::size_t components = p_.components.size();
        result_.ends = now_;
        const auto last = std::max_element(now_.begin(), now_.end());
        result_.end = *last;
        result_.computing_s.assign(components, 0);
        result_.path_s.assign(components, 0);
        for (std::size_t p = 0; p < now_.size(); ++p) {
            const auto c = static_cast<std::size_t>(p_.component_of[p]);
            double computing_s = 0;
            for (const Stretch &s : stretches_[p])
                computing_s += 1e-9 * static_cast<double>(s.computing);
            result_.computing_s[c] = std::max(result_.computing_s[c], computing_s);
        }
        // Back from the end: computing since the last wait, then on to who was waited for.
        for (Moment at = moment_of(static_cast<int>(last - now_.begin())); at.process >= 0;) {
            const auto of = static_cast<std::size_t>(at.process);
            result_.path_s[static_cast<std::size_t>(p_.component_of[of])] += 1e-9 * static_cast<double>(at.computed);
            at = stretches_[of][at.stretch].because;
        }
    }

    const Program &p_;
    std::vector<double> factors_;
    std::vector<std::int64_t> now_;
    std::vector<std::size_t> next_;
    std::vector<std::vector<Stretch>> stretches_;
    std::map<Channel, std::deque<Sent>> channels_;
    std::map<std::pair<int, int>, Meeting> meetings_; // by components
    Truth result_;
};

} // namespace

std::vector<int> Program::members(int component) const {
    std::vector<int> all;
    for (std::size_t p = 0; p < component_of.size(); ++p)
        if (component_of[p] == component) all.push_back(static_cast<int>(p));
    return all;
}

Truth replay(const Program &program, const std::vector<double> &factors) {
    return Replayer(program, factors).run();
}

} // namespace cpl_lb::programs
