// The components' waiting in their last coupling steps, agreed on by some processes while the model runs
// (docs/definitions.md, section 9). The data that goes up the tree grows with the components, not with the processes.
#pragma once

#include "mpi/group.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

inline constexpr int balance_now_tag = 22;

// Figures of one process, or sums over several of a component.
struct BalanceNow {
    std::string name;
    std::int32_t processes = 0;
    std::int32_t measured = 0; // processes that have a step
    std::int32_t steps = 0;    // fewest of these
    std::int32_t io_servers = 0;
    std::int64_t from_ns = 0, to_ns = 0;                          // of these steps, on the common clock
    double seconds = 0, waiting_s = 0, coupling_s = 0, own_s = 0; // sums over these

    // Less than 0: not known.
    [[nodiscard]] double waiting_share() const { return seconds > 0 ? waiting_s / seconds : -1; }
    [[nodiscard]] bool can_be_slow() const { return seconds > 0 && io_servers == 0; }
};

struct ComponentsNow {
    std::vector<BalanceNow> components; // in the order of their lowest rank
    std::int32_t lowest_rank = 0;       // of the group, as each process gives it: 0, or they did not ask together
    std::int32_t processes = 0;
    bool together = true;
};

void wire_members(auto &way, Either<BalanceNow> auto &b) {
    way.pass(b.name, b.processes, b.measured, b.steps, b.io_servers, b.from_ns, b.to_ns, b.seconds, b.waiting_s,
             b.coupling_s, b.own_s);
}

void wire_members(auto &way, Either<ComponentsNow> auto &c) {
    way.pass(c.components, c.lowest_rank, c.processes, c.together);
}

void unite(ComponentsNow &mine, const ComponentsNow &theirs);

// Collective over the group; all get the same result. Throws MessageFailed, also if a process did not come.
[[nodiscard]] ComponentsNow agree_on_now(Group &group, BalanceNow mine);

// The place of the slow side; empty if there is none.
[[nodiscard]] std::optional<std::size_t> slow_side_now(const std::vector<BalanceNow> &components);

} // namespace cpl_lb
