// One message of a list of times for each hop, whatever the number of processes.
#include "gather/away_gather.hpp"

#include "gather/wire.hpp"

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
    return away;
}

} // namespace

bool gather_away(Group &group, std::span<const Interval> row, TimesAway &all) {
    add_away(all, row);
    Bytes bytes = pack(all);
    const auto merge = [](Bytes &mine, const Bytes &theirs) {
        TimesAway both = unpack(mine);
        const TimesAway other = unpack(theirs);
        add_away(both, other.times);
        both.differ = both.differ || other.differ;
        mine = pack(both);
    };
    if (!group.combine_up(bytes, merge)) return false;
    if (group.leads()) all = unpack(bytes);
    return true;
}

} // namespace cpl_lb
