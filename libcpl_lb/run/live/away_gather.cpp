// One message of a list of times for each hop, whatever the number of processes.
#include "run/live/away_gather.hpp"

#include "mpi/wire.hpp"

namespace cpl_lb {
namespace {

Bytes pack(const TimesAway &away) {
    WireWriter out;
    out.put(std::int32_t{away.differ ? 1 : 0});
    out.put(away.differ ? std::vector<Interval>(1) : away.times);
    return out.take();
}

TimesAway unpack(const Bytes &bytes) {
    WireReader in(bytes);
    TimesAway away;
    away.differ = in.get<std::int32_t>() != 0;
    away.times = in.get_vector<Interval>();
    in.finish("times away");
    return away;
}

} // namespace

bool gather_away(Group &group, std::span<const Interval> row, TimesAway &all) {
    add_away(all, row);
    const auto unite = [](TimesAway &mine, const TimesAway &theirs) {
        add_away(mine, theirs.times);
        mine.differ = mine.differ || theirs.differ;
    };
    return unite_up(group, all, pack, unpack, unite);
}

} // namespace cpl_lb
