// Arrivals go up and down the tree of the leaders in blocks: memory does not grow with the operations.
#include "run/live/steps/gather_components.hpp"

#include "run/live/unite.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace cpl_lb {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20U;

// Components by field of SYNC, if there are several.
using Participants = std::map<std::int32_t, std::vector<std::int32_t>>;

Participants participants_of(const Catalogue &catalogue) {
    Participants participants;
    for (const ClassOfComponent &c : catalogue.classes) {
        if (c.what.kind != Kind::sync || c.what.field == 0) continue;
        std::vector<std::int32_t> &of_field = participants[c.what.field];
        if (of_field.empty() || of_field.back() != c.component) of_field.push_back(c.component);
    }
    std::erase_if(participants, [](const auto &of_field) { return of_field.second.size() < 2; });
    return participants;
}

// A component of this process in one field.
struct Own {
    std::size_t index = 0; // among the field's components
    EventTable *table = nullptr;
    std::vector<std::uint32_t> places, arrivals;
};

class FieldArrivals {
public:
    FieldArrivals(Group &leaders, const std::vector<std::int32_t> &components, std::vector<Own> own,
                  Nanoseconds clock_bound)
        : leaders_(leaders), components_(components), own_(std::move(own)), clock_bound_(clock_bound) {}

    void name_all() {
        std::size_t most = 0;
        for (const Own &own : own_)
            most = std::max(most, own.places.size());
        reduce_for_all(leaders_, std::span(&most, 1), keep_larger);
        const std::size_t block = std::max<std::size_t>(1, block_bytes / sizeof(Nanoseconds) / width());
        for (std::size_t first = 0; first < most; first += block) {
            share(first, std::min(block, most - first));
            for (std::size_t n = first; n < first + std::min(block, most - first); ++n)
                name(n, std::span(arrivals_).subspan((n - first) * width(), width()));
        }
    }

private:
    [[nodiscard]] std::size_t width() const { return components_.size(); }

    void share(std::size_t first, std::size_t operations) {
        arrivals_.assign(operations * width(), absent);
        for (const Own &own : own_) {
            const std::size_t last = std::min(own.places.size(), first + operations);
            for (std::size_t n = first; n < last; ++n)
                arrivals_[(n - first) * width() + own.index] = own.table->spans[own.arrivals[n]].last_start;
        }
        reduce_for_all(leaders_, std::span(arrivals_), keep_larger);
    }

    // The counterparts of one operation, on all components of this process.
    void name(std::size_t operation, std::span<const Nanoseconds> arrivals) {
        last_to_come_.set(arrivals);
        for (const Own &own : own_) {
            if (operation >= own.places.size()) continue;
            const std::uint32_t k = own.places[operation];
            if (own.table->keys.what(k).counterpart != 0) continue;
            const std::size_t waited_for = last_to_come_.of(own.index, own.table->spans[k].last_stop, clock_bound_);
            if (waited_for < width()) own.table->keys.set_counterpart(k, components_[waited_for]);
        }
    }

    Group &leaders_;
    const std::vector<std::int32_t> &components_;
    std::vector<Own> own_;
    Nanoseconds clock_bound_;
    std::vector<Nanoseconds> arrivals_; // operation by operation
    LastToCome last_to_come_;
};

std::vector<int> leaders_of(const Participants &participants, const Catalogue &catalogue) {
    std::set<int> leaders;
    for (const auto &[field, components] : participants)
        for (const std::int32_t id : components)
            leaders.insert(catalogue.members[static_cast<std::size_t>(id) - 1].front());
    return {leaders.begin(), leaders.end()};
}

} // namespace

bool any_sync_together(const Catalogue &catalogue) {
    return !participants_of(catalogue).empty();
}

void name_syncs(Transport &transport, const Catalogue &catalogue, Nanoseconds clock_bound,
                std::span<const TableOfComponent> led) {
    const Participants participants = participants_of(catalogue);
    const std::vector<int> ranks = leaders_of(participants, catalogue);
    if (std::ranges::find(ranks, transport.rank()) == ranks.end()) return;
    Group leaders(transport, ranks);
    // Two looks at all events of a table, however many fields there are.
    std::vector<SyncPlaces> places(led.size()), arrivals(led.size());
    for (std::size_t i = 0; i < led.size(); ++i) {
        places[i] = sync_places(*led[i].table);
        arrivals[i] = arrival_places(*led[i].table, places[i]);
    }
    for (const auto &[field, components] : participants) {
        std::vector<Own> own;
        for (std::size_t i = 0; i < led.size(); ++i) {
            const auto at = std::ranges::lower_bound(components, led[i].id);
            if (at == components.end() || *at != led[i].id) continue;
            own.push_back({static_cast<std::size_t>(at - components.begin()), led[i].table,
                           std::move(places[i][field]), std::move(arrivals[i][field])});
        }
        FieldArrivals(leaders, components, std::move(own), clock_bound).name_all();
    }
}

} // namespace cpl_lb
