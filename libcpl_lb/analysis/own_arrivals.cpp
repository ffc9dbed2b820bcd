// Analyses the arrivals of one process.
#include "analysis/own_arrivals.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {

OwnArrivals::OwnArrivals(const ChosenExchanges &chosen, std::span<const Nanoseconds> starts) : chosen_(chosen) {
    Nanoseconds last = 0, all = 0;
    arrival_.reserve(chosen.list.size());
    for (std::size_t i = 0; i < chosen.list.size(); ++i) {
        const ChosenExchange &e = chosen.list[i];
        arrival_.push_back(starts[i] == absent ? unknown : to_seconds(starts[i] - e.first));
        all += e.counted;
        if (starts[i] != absent && starts[i] - e.first == e.jitter) last += e.counted;
    }
    last_share_ = all > 0 ? static_cast<double>(last) / static_cast<double>(all) : 0;
}

void OwnArrivals::add_sums(std::span<ArrivalSum> sums) const {
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (is_known(arrival_[i])) sums[i].add({std::llround(arrival_[i] * 1e9), 1});
}

void OwnArrivals::add_peaks(PlacesOfGroups groups, std::span<ArrivalSpread> peaks) const {
    for (const std::vector<std::uint32_t> &places : groups) {
        for (std::size_t n = 1; n + 1 < places.size(); ++n)
            peaks[places[n]].add(arrival_[places[n]] - 0.5 * (arrival_[places[n - 1]] + arrival_[places[n + 1]]));
    }
}

void OwnArrivals::settle(PlacesOfGroups groups, std::span<const double> mean, std::span<const std::uint8_t> stalled) {
    stalled_.assign(stalled.begin(), stalled.end());
    for (std::size_t i = 0; i < arrival_.size(); ++i)
        arrival_[i] -= mean[i];
    mean_.clear();
    for (const std::vector<std::uint32_t> &places : groups) {
        double sum = 0, count = 0;
        for (const std::uint32_t i : places) {
            if (stalled_[i] != 0 || !is_known(arrival_[i])) continue;
            sum += arrival_[i];
            count += 1;
        }
        mean_.push_back(count > 0 ? sum / count : unknown);
    }
}

std::vector<float> OwnArrivals::record() const {
    std::vector<float> record = {static_cast<float>(last_share_)};
    for (const double mean : mean_)
        record.push_back(static_cast<float>(mean));
    const std::size_t count = arrival_.size();
    for (std::size_t b = 0; b < arrival_batches; ++b) {
        double sum = 0, weights = 0;
        for (std::size_t i = b * count / arrival_batches; i < (b + 1) * count / arrival_batches; ++i) {
            if (stalled_[i] != 0 || !is_known(arrival_[i])) continue;
            const auto weight = static_cast<double>(chosen_.list[i].counted);
            sum += weight * arrival_[i];
            weights += weight;
        }
        record.push_back(weights > 0 ? static_cast<float>(sum / weights) : std::numeric_limits<float>::quiet_NaN());
    }
    return record;
}

void OwnArrivals::add_residuals(PlacesOfGroups groups, const ArrivalModel &model, ResidualSpreads &spreads) const {
    for (std::uint32_t g = 0; g < chosen_.groups; ++g) {
        const double own = model.has_means && is_known(mean_[g]) ? mean_[g] : 0;
        for (const std::uint32_t i : groups[g]) {
            spreads.nodes[i].add(arrival_[i] - model.of_node[g]);
            spreads.processes[i].add(arrival_[i] - own);
        }
    }
}

} // namespace cpl_lb
