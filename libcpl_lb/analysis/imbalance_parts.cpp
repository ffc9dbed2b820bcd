// Three looks at the arrivals: which exchanges stall, then what is always the same, then what is left.
#include "analysis/imbalance_parts.hpp"

#include "analysis/arrival_tests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace cpl_lb {
namespace {

// What the leader keeps between the looks.
struct Inquiry {
    const ChosenExchanges &chosen;
    const ArrivalInput &input;
    std::size_t processes = 0;
    UsualArrivals usual;
    ImbalanceParts parts;
    std::vector<std::vector<std::uint32_t>> places; // of each group's exchanges
};

void look_for_stalls(Inquiry &inquiry, std::span<const ArrivalSum> sums, std::span<const ArrivalSpread> peaks) {
    inquiry.usual.stalled.assign(peaks.size(), 0);
    for (const ArrivalSum &sum : sums)
        inquiry.usual.mean.push_back(to_seconds(sum.sum) /
                                     static_cast<double>(std::max<std::int64_t>(sum.processes, 1)));
    for (const std::vector<std::uint32_t> &places : inquiry.places) {
        std::vector<double> of_group;
        of_group.reserve(places.size());
        for (const std::uint32_t i : places)
            of_group.push_back(peaks[i].most > -largest_figure ? peaks[i].most : unknown);
        const std::vector<std::uint8_t> found = find_stalls(of_group);
        for (std::size_t n = 0; n < places.size(); ++n)
            inquiry.usual.stalled[places[n]] = found[n];
    }
}

// By coupling step: several exchanges of one may stall.
Stalls stalls_of(const Inquiry &inquiry) {
    std::map<std::int64_t, double> by_step;
    for (std::size_t i = 0; i < inquiry.chosen.list.size(); ++i) {
        if (inquiry.usual.stalled[i] == 0) continue;
        const ChosenExchange &e = inquiry.chosen.list[i];
        const auto after = std::ranges::upper_bound(inquiry.input.steps, e.first);
        by_step[std::max<std::int64_t>(after - inquiry.input.steps.begin(), 1)] += to_seconds(e.counted);
    }
    Stalls stalls;
    stalls.count = static_cast<std::int64_t>(by_step.size());
    for (const auto &[step, seconds] : by_step) {
        stalls.all_s += seconds;
        if (stalls.longest_step > 0 && seconds <= stalls.longest_s) continue;
        stalls.longest_step = step;
        stalls.longest_s = seconds;
    }
    return stalls;
}

// The share of the counted time of each group.
std::vector<double> group_shares(const ChosenExchanges &chosen) {
    std::vector<double> shares(chosen.groups);
    const double all_s = chosen.counted_s();
    for (const ChosenExchange &e : chosen.list)
        shares[e.group] += to_seconds(e.counted) / all_s;
    return shares;
}

// Mean lateness of each process over the groups in which it took part.
std::vector<double> lateness(const Inquiry &inquiry, std::span<const float> records) {
    const std::vector<double> shares = group_shares(inquiry.chosen);
    const std::size_t size = arrival_record_size(inquiry.chosen.groups);
    std::vector<double> late;
    for (std::size_t p = 0; p < inquiry.processes; ++p) {
        double sum = 0;
        for (std::size_t g = 0; g < shares.size(); ++g) {
            const auto mean = static_cast<double>(records[p * size + record_means + g]);
            if (is_known(mean)) sum += shares[g] * mean;
        }
        late.push_back(sum);
    }
    return late;
}

void name_late_processes(Inquiry &inquiry, std::span<const float> records, std::span<const double> late) {
    const std::size_t size = arrival_record_size(inquiry.chosen.groups);
    const double earliest = *std::ranges::min_element(late);
    for (const double one : late)
        inquiry.parts.late_s.push_back(one - earliest);
    std::vector<LateProcess> &last = inquiry.parts.last;
    for (std::size_t p = 0; p < inquiry.processes; ++p) {
        const auto share = static_cast<double>(records[p * size]);
        if (share > 0) last.push_back({static_cast<std::int64_t>(p), share, late[p]});
    }
    std::ranges::stable_sort(last, std::greater(), &LateProcess::share);
    last.resize(std::min(last.size(), most_late_processes));
}

// Means by node, then by group. Also finds the latest node.
std::vector<double> means_of_nodes(Inquiry &inquiry, std::span<const float> records, std::span<const double> late) {
    const std::span<const std::int32_t> nodes = inquiry.input.nodes;
    const std::size_t groups = inquiry.chosen.groups, size = arrival_record_size(inquiry.chosen.groups);
    const auto count = static_cast<std::size_t>(*std::ranges::max_element(nodes)) + 1;
    std::vector<double> means(count * groups), members(count * groups), of_node(count), in_node(count);
    for (std::size_t p = 0; p < inquiry.processes; ++p) {
        const auto node = static_cast<std::size_t>(nodes[p]);
        of_node[node] += late[p];
        in_node[node] += 1;
        for (std::size_t g = 0; g < groups; ++g) {
            const auto mean = static_cast<double>(records[p * size + record_means + g]);
            if (!is_known(mean)) continue;
            means[node * groups + g] += mean;
            members[node * groups + g] += 1;
        }
    }
    for (std::size_t i = 0; i < means.size(); ++i)
        if (members[i] > 0) means[i] /= members[i];
    for (std::size_t n = 0; n < count; ++n)
        of_node[n] = in_node[n] > 0 ? of_node[n] / in_node[n] : -largest_figure;
    const auto latest = std::ranges::max_element(of_node);
    inquiry.parts.late_node_s = *latest;
    inquiry.parts.late_node_process = std::ranges::find(nodes, latest - of_node.begin()) - nodes.begin();
    return means;
}

std::string why_no_nodes(std::span<const std::int32_t> nodes) {
    if (nodes.empty()) return "the nodes of its processes are not known";
    const std::size_t count = std::set(nodes.begin(), nodes.end()).size();
    if (count == 1) return "its processes are on one node";
    if (count < least_nodes) return "its processes are on two nodes: a slow node looks like one half of the model";
    if (count == nodes.size()) return "each of its processes has a node of its own";
    return "";
}

// What waiting for the latest process costs after each part is taken off: s, over the chosen exchanges.
struct Costs {
    double all = 0, mean = 0, without_nodes = 0, without_processes = 0;
};

struct CostOfGroup {
    const std::vector<ChosenExchange> &list;
    const std::vector<std::uint32_t> &places;
    const std::vector<std::uint8_t> &stalled;

    // The share of the jitter that counts.
    [[nodiscard]] double weight(std::uint32_t i) const {
        return list[i].jitter > 0 ? static_cast<double>(list[i].counted) / static_cast<double>(list[i].jitter) : 0;
    }
    // Multiplies the cost of exchanges that do not stall by `noise`.
    [[nodiscard]] double of(std::span<const ArrivalSpread> spreads, double noise) const {
        double cost = 0;
        for (const std::uint32_t i : places)
            cost += (stalled[i] != 0 ? 1 : noise) * weight(i) * spreads[i].range();
        return cost;
    }
    [[nodiscard]] double of_means(std::span<const double> mean) const {
        double cost = 0;
        for (const std::uint32_t i : places)
            cost += weight(i) * mean[i];
        return cost;
    }
};

Costs costs_of(const Inquiry &inquiry, const SharedModel &model, const ResidualSpreads &spreads) {
    Costs costs;
    for (std::uint32_t g = 0; g < inquiry.chosen.groups; ++g) {
        const CostOfGroup cost{inquiry.chosen.list, inquiry.places[g], inquiry.usual.stalled};
        const auto values = static_cast<double>(inquiry.places[g].size());
        double all = 0;
        for (const std::uint32_t i : inquiry.places[g])
            all += to_seconds(inquiry.chosen.list[i].counted);
        const double nodes = model.node_means.empty() ? all : std::min(cost.of(spreads.nodes, 1), all);
        // Subtracting a mean also removes some of the noise.
        const double noise = std::sqrt(values / (values - 1));
        costs.all += all;
        costs.mean += cost.of_means(inquiry.usual.mean);
        costs.without_nodes += nodes;
        costs.without_processes += model.has_means ? std::min(cost.of(spreads.processes, noise), nodes) : nodes;
    }
    return costs;
}

// What is counted after somebody has come to the same exchange of a later step: it has not waited for the last one.
double overtaken_s(const Inquiry &inquiry) {
    const std::vector<ChosenExchange> &list = inquiry.chosen.list;
    const std::size_t steps = std::max<std::size_t>(inquiry.input.steps.size(), 2) - 1,
                      one_in = inquiry.chosen.one_in;
    Nanoseconds overtaken = 0;
    for (const std::vector<std::uint32_t> &places : inquiry.places) {
        const std::size_t in_step = (places.size() * one_in + steps / 2) / steps; // in bursts several
        const std::size_t step = std::max<std::size_t>((in_step + one_in - 1) / one_in, 1);
        for (std::size_t n = 0; n + step < places.size(); ++n) {
            const ChosenExchange &e = list[places[n]], &later = list[places[n + step]];
            overtaken += std::clamp<Nanoseconds>(e.first + e.jitter - later.first, 0, e.counted);
        }
    }
    return to_seconds(overtaken);
}

void fill_parts(Inquiry &inquiry, const Costs &costs) {
    ImbalanceParts &parts = inquiry.parts;
    const double total = inquiry.chosen.imbalance_s;
    const double scale = costs.all > 0 ? total / costs.all : 0;
    parts.exchanges = static_cast<std::int64_t>(inquiry.chosen.list.size());
    parts.nodes_s = scale * (costs.all - costs.without_nodes);
    parts.processes_s = scale * (costs.without_nodes - costs.without_processes);
    parts.random_s = std::max(total - parts.nodes_s - parts.processes_s, 0.0);
    parts.mean_s = scale * costs.mean;
    parts.overtaken_s = scale * overtaken_s(inquiry);
    parts.carried_s = inquiry.chosen.carried_s;
    parts.stalls = stalls_of(inquiry);
    if (!parts.why_no_nodes.empty()) parts.nodes_s = unknown; // counted with the processes
    if (!(parts.nodes_s > 0)) {
        parts.late_node_process = -1;
        parts.late_node_s = unknown;
    }
}

SharedModel model_of(Inquiry &inquiry, std::span<const float> records) {
    SharedModel model;
    const std::size_t size = arrival_record_size(inquiry.chosen.groups);
    std::vector<float> batches;
    for (std::size_t p = 0; p < inquiry.processes; ++p)
        batches.insert(batches.end(), records.begin() + static_cast<std::ptrdiff_t>((p + 1) * size - arrival_batches),
                       records.begin() + static_cast<std::ptrdiff_t>((p + 1) * size));
    model.has_means = processes_differ(batches, arrival_batches);
    const std::vector<double> late = lateness(inquiry, records);
    name_late_processes(inquiry, records, late);
    inquiry.parts.why_no_nodes = why_no_nodes(inquiry.input.nodes);
    if (model.has_means && inquiry.parts.why_no_nodes.empty() && nodes_differ(late, inquiry.input.nodes))
        model.node_means = means_of_nodes(inquiry, records, late);
    return model;
}

// The first look: which exchanges stall, and the mean arrival of each.
void look_at_steps(Crowd &crowd, std::span<OwnArrivals> here, Inquiry &inquiry) {
    const std::size_t count = inquiry.chosen.list.size();
    std::vector<ArrivalSum> sums(count);
    std::vector<ArrivalSpread> peaks(count);
    for (const OwnArrivals &one : here) {
        one.add_sums(sums);
        one.add_peaks(inquiry.places, peaks);
    }
    crowd.unite(sums);
    crowd.unite(peaks);
    if (crowd.leads()) look_for_stalls(inquiry, sums, peaks);
    crowd.share(inquiry.usual);
    for (OwnArrivals &one : here)
        one.settle(inquiry.places, inquiry.usual.mean, inquiry.usual.stalled);
}

// The second look: the mean of each process.
SharedModel look_at_means(Crowd &crowd, std::span<const OwnArrivals> here, Inquiry &inquiry) {
    std::vector<float> records;
    records.reserve(here.size() * arrival_record_size(inquiry.chosen.groups));
    for (const OwnArrivals &one : here) {
        const std::vector<float> record = one.record();
        records.insert(records.end(), record.begin(), record.end());
    }
    crowd.gather(records);
    SharedModel model;
    if (crowd.leads()) model = model_of(inquiry, records);
    crowd.share(model);
    return model;
}

// The last look: what is left if each part is taken off.
void look_at_rests(Crowd &crowd, std::span<const OwnArrivals> here, const SharedModel &model, Inquiry &inquiry) {
    const std::size_t count = inquiry.chosen.list.size(), groups = inquiry.chosen.groups;
    ResidualSpreads spreads{std::vector<ArrivalSpread>(count), std::vector<ArrivalSpread>(count)};
    ArrivalModel own{model.has_means, std::vector<double>(groups)};
    for (std::size_t p = 0; p < here.size(); ++p) {
        if (!model.node_means.empty()) {
            const auto process = static_cast<std::size_t>(inquiry.input.first_here) + p;
            const auto node = static_cast<std::size_t>(inquiry.input.nodes[process]);
            const auto first = model.node_means.begin() + static_cast<std::ptrdiff_t>(node * groups);
            own.of_node.assign(first, first + static_cast<std::ptrdiff_t>(groups));
        }
        here[p].add_residuals(inquiry.places, own, spreads);
    }
    crowd.unite(std::span(spreads.nodes));
    crowd.unite(std::span(spreads.processes));
    if (crowd.leads()) fill_parts(inquiry, costs_of(inquiry, model, spreads));
}

} // namespace

ImbalanceParts explain_imbalance(Crowd &crowd, const ChosenExchanges &chosen, std::span<OwnArrivals> here,
                                 std::size_t processes, const ArrivalInput &input) {
    Inquiry inquiry{chosen, input, processes, {}, {}, {}};
    inquiry.parts.why_missing = chosen.why_not;
    if (chosen.list.empty()) return inquiry.parts;
    for (std::uint32_t g = 0; g < chosen.groups; ++g)
        inquiry.places.push_back(chosen.places_of(g));
    look_at_steps(crowd, here, inquiry);
    const SharedModel model = look_at_means(crowd, here, inquiry);
    look_at_rests(crowd, here, model, inquiry);
    return inquiry.parts;
}

ArrivalsOfAll::ArrivalsOfAll(const EventTable &events, const Window &window, std::size_t processes, std::size_t most)
    : chosen_(choose_exchanges(events, window, processes, most)), steps_(window.steps), starts_(processes) {}

void ArrivalsOfAll::set(std::size_t process, const Row &row) {
    starts_[process].clear();
    starts_[process].reserve(chosen_.list.size());
    for (const ChosenExchange &e : chosen_.list)
        starts_[process].push_back(row.start[e.event]);
}

ImbalanceParts ArrivalsOfAll::parts(std::span<const std::int32_t> nodes) const {
    std::vector<OwnArrivals> here;
    here.reserve(starts_.size());
    for (const std::vector<Nanoseconds> &starts : starts_)
        if (!chosen_.list.empty()) here.emplace_back(chosen_, starts);
    Crowd all_here;
    const ArrivalInput input{nodes, 0, steps_};
    return explain_imbalance(all_here, chosen_, here, starts_.size(), input);
}

} // namespace cpl_lb
