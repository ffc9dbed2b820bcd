// Looks at the arrivals of all processes by messages: figures of the chosen exchanges go up the tree, and the
// leader's conclusions come down.
#include "run/live/imbalance_gather.hpp"

#include "analysis/imbalance_parts.hpp"
#include "mpi/wire.hpp"

#include <cstring>
#include <utility>
#include <vector>

namespace cpl_lb {

template <class Way, Either<ChosenExchanges> C>
static void wire_members(Way &way, C &chosen) {
    way.pass(chosen.why_not, chosen.list, chosen.groups, chosen.imbalance_s, chosen.one_in);
}
template <class Way, Either<UsualArrivals> U>
static void wire_members(Way &way, U &usual) {
    way.pass(usual.mean, usual.unusual);
}
template <class Way, Either<MovingRule> R>
static void wire_members(Way &way, R &rule) {
    way.pass(rule.window, rule.phases, rule.phase, rule.period_s);
}
template <class Way, Either<SharedModel> M>
static void wire_members(Way &way, M &model) {
    way.pass(model.has_means, model.node_means);
}

namespace {

class CrowdOfGroup : public Crowd {
public:
    explicit CrowdOfGroup(Group &group) : group_(group) {}
    [[nodiscard]] bool leads() const override { return group_.leads(); }
    [[nodiscard]] bool unite(std::span<ArrivalSum> sums) override { return add_up(sums); }
    [[nodiscard]] bool unite(std::span<ArrivalSpread> spreads) override { return add_up(spreads); }
    [[nodiscard]] bool unite(std::span<MovingSquares> squares) override { return add_up(squares); }
    [[nodiscard]] bool unite(std::span<WideNanoseconds> sums) override {
        return group_.reduce(sums, [](WideNanoseconds &mine, WideNanoseconds theirs) { mine += theirs; });
    }
    // A child's processes come behind one's own, and those of a nearer child before those of one farther away.
    [[nodiscard]] bool gather(std::vector<float> &records) override {
        Bytes mine(records.size() * sizeof(float));
        std::memcpy(mine.data(), records.data(), mine.size());
        const auto append = [](Bytes &all, const Bytes &more) { all.insert(all.end(), more.begin(), more.end()); };
        if (!group_.combine_up(mine, append)) return false;
        records.resize(mine.size() / sizeof(float));
        std::memcpy(records.data(), mine.data(), records.size() * sizeof(float));
        return true;
    }
    [[nodiscard]] bool share(UsualArrivals &usual) override { return tell_all(group_, "usual arrivals", usual); }
    [[nodiscard]] bool share(MovingRules &rules) override { return tell_all(group_, "moving arrivals", rules); }
    [[nodiscard]] bool share(SharedModel &model) override { return tell_all(group_, "late processes", model); }

private:
    template <class T>
    bool add_up(std::span<T> values) {
        return group_.reduce(values, [](T &mine, const T &theirs) { mine.add(theirs); });
    }
    Group &group_;
};

} // namespace

std::optional<ImbalanceParts> gather_imbalance(Group &group, const EventTable &table, const Window &window,
                                               const OwnRow &row, const NumberList &nodes,
                                               const std::vector<std::string> &field_names) {
    const auto processes = static_cast<std::size_t>(group.size());
    ChosenExchanges chosen;
    ArrivalInput input;
    std::vector<std::int64_t> dates;
    if (group.leads()) {
        chosen = choose_exchanges(table, window, processes, most_chosen(processes));
        dates = dates_of(chosen, table.keys);
        input.dates = dates;
        input.events = &table;
        input.field_names = &field_names;
    }
    if (!tell_all(group, "exchanges", chosen)) return {};
    const std::vector<std::int32_t> node_of_process = nodes.all();
    input.nodes = node_of_process;
    input.first_here = group.index();
    std::vector<OwnArrivals> here;
    if (!chosen.list.empty()) here.emplace_back(chosen, row.starts_of(chosen.list));
    CrowdOfGroup crowd(group);
    return explain_imbalance(crowd, chosen, here, processes, input);
}

} // namespace cpl_lb
