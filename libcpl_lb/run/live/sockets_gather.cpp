// On which sockets the processes of each component may run.
#include "run/live/sockets_gather.hpp"

#include "run/live/unite.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <tuple>

namespace cpl_lb {

void unite(std::vector<ToldSockets> &mine, const std::vector<ToldSockets> &theirs) {
    unite_lists(
        mine, theirs,
        [](const ToldSockets &m, const ToldSockets &t) {
            return m.component == t.component && m.node == t.node && m.sockets == t.sockets;
        },
        [](ToldSockets &m, const ToldSockets &t) { m.processes += t.processes; });
}

void enter_sockets(std::vector<ToldSockets> told, CoupledRun &run) {
    std::sort(told.begin(), told.end(), [](const ToldSockets &a, const ToldSockets &b) {
        return std::tie(a.node, a.sockets) < std::tie(b.node, b.sockets);
    });
    for (Component &c : run.components) {
        c.sockets = {{}, say(Sentence::gpus_not_asked)};
        bool asked = false;
        for (ToldSockets &one : told) {
            if (one.component != c.id) continue;
            if (!asked) c.sockets.why_missing.clear();
            asked = true;
            if (one.sockets.empty())
                c.sockets.why_missing = say(Sentence::sockets_not_told);
            else
                c.sockets.places.push_back({one.node, std::move(one.sockets), one.processes});
        }
    }
}

} // namespace cpl_lb
