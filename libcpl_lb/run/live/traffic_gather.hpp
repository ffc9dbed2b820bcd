// Gathers the messages between the processes of a component, from each recorder's table of partners to the master
// (docs/definitions.md, section 8). The data that goes up the tree does not grow with the processes.
#pragma once

#include "data/traffic.hpp"
#include "mpi/group.hpp"
#include "run/live/process_record.hpp"

#include <optional>

namespace cpl_lb {

// The most processes in a message for which others wait: those with the longest waits.
inline constexpr std::size_t most_late_candidates = 512;

// What this process sent to processes of its component, and its waits for them. outside_s: its time in point-to-point
// calls outside of the loop.
[[nodiscard]] InsideTraffic own_traffic(const Group &group, const ProcessRecord &record, double outside_s);
void unite(InsideTraffic &mine, const InsideTraffic &theirs);
// unpack throws DamagedMessage if the figures are impossible for so many processes.
[[nodiscard]] Bytes pack_traffic(const InsideTraffic &traffic);
[[nodiscard]] InsideTraffic unpack_traffic(const Bytes &bytes, std::size_t processes);
[[nodiscard]] bool fits(const InsideTraffic &traffic, std::size_t processes);

// Collective over the group, all of whose processes recorded MPI. Only the leader's result counts. Empty if a message
// failed.
[[nodiscard]] std::optional<InsideTraffic> gather_traffic(Group &group, const ProcessRecord &record,
                                                          double outside_s);

} // namespace cpl_lb
