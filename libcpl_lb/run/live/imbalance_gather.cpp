// Looks at the arrivals of all processes by messages: figures of the chosen exchanges go up the tree, and the
// leader's conclusions come down.
#include "run/live/loop_and_waiting.hpp"

#include "analysis/imbalance_parts.hpp"
#include "run/live/unite.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cpl_lb {

static void wire_members(auto &way, Either<UsualArrivals> auto &usual) {
    way.pass(usual.mean, usual.stalled);
}
static void wire_members(auto &way, Either<SharedModel> auto &model) {
    way.pass(model.has_means, model.node_means);
}

namespace {

class CrowdOfGroup : public Crowd {
public:
    CrowdOfGroup(Group &group, const ChosenExchanges &chosen, std::size_t nodes)
        : group_(group), chosen_(chosen), nodes_(nodes) {}
    [[nodiscard]] bool leads() const override { return group_.leads(); }
    void unite(std::span<ArrivalSum> sums) override { group_.reduce(sums, add_theirs); }
    void unite(std::span<ArrivalSpread> spreads) override { group_.reduce(spreads, add_theirs); }
    void gather(std::vector<float> &records) override {
        Bytes mine(records.size() * sizeof(float));
        std::memcpy(mine.data(), records.data(), mine.size());
        gather_bytes(group_, mine);
        expect(!leads() || mine.size() == records.size() * sizeof(float) * static_cast<std::size_t>(group_.size()),
               "late processes");
        records.resize(mine.size() / sizeof(float));
        std::memcpy(records.data(), mine.data(), records.size() * sizeof(float));
    }
    void share(UsualArrivals &usual) override {
        tell_all(group_, "usual arrivals", usual);
        expect(usual.mean.size() == chosen_.list.size() && usual.stalled.size() == usual.mean.size(),
               "usual arrivals");
    }
    void share(SharedModel &model) override {
        tell_all(group_, "late processes", model);
        expect(model.node_means.empty() || model.node_means.size() >= nodes_ * chosen_.groups, "late processes");
    }

private:
    static void expect(bool holds, const char *what) {
        if (!holds) throw DamagedMessage(what);
    }
    Group &group_;
    const ChosenExchanges &chosen_;
    std::size_t nodes_; // the highest number of one, and one
};

} // namespace

ImbalanceParts gather_imbalance(Group &group, CouplingLoop &loop, const NumberList &nodes) {
    const ChosenExchanges &chosen = loop.chosen;
    const std::vector<std::int32_t> node_of_process = nodes.all();
    const ArrivalInput input{node_of_process, group.index(), loop.window.steps};
    std::vector<OwnArrivals> here;
    if (!chosen.list.empty()) here.emplace_back(chosen, std::move(loop.starts));
    const auto last_node = *std::ranges::max_element(node_of_process);
    CrowdOfGroup crowd(group, chosen, static_cast<std::size_t>(last_node) + 1);
    return explain_imbalance(crowd, chosen, here, static_cast<std::size_t>(group.size()), input);
}

} // namespace cpl_lb
