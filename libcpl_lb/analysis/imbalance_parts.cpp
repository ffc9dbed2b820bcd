// Two looks at the arrivals: what is unusual, then what is always the same, what moves, and what is left.
#include "analysis/imbalance_parts.hpp"

#include "analysis/arrival_tests.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace cpl_lb {
namespace {

constexpr std::size_t most_for_period = 256; // processes
constexpr float nearly_always = 0.8F;        // one process is last in this share of the unusual exchanges

// What the leader keeps between the looks.
struct Inquiry {
    const ChosenExchanges &chosen;
    const ArrivalInput &input;
    std::size_t processes = 0;
    UsualArrivals usual;
    ImbalanceParts parts;
    std::vector<std::vector<std::uint32_t>> places; // of each group's exchanges
};

void look_for_unusual(Inquiry &inquiry, std::span<const ArrivalSum> sums, std::span<const ArrivalSpread> peaks) {
    inquiry.usual.unusual.assign(peaks.size(), 0);
    for (const ArrivalSum &sum : sums)
        inquiry.usual.mean.push_back(to_seconds(sum.sum) /
                                     static_cast<double>(std::max<std::int64_t>(sum.processes, 1)));
    for (const std::vector<std::uint32_t> &places : inquiry.places) {
        std::vector<double> of_group;
        of_group.reserve(places.size());
        for (const std::uint32_t i : places)
            of_group.push_back(peaks[i].most > -largest_figure ? peaks[i].most : unknown);
        const UnusualSteps found = find_unusual(of_group);
        for (std::size_t n = 0; n < places.size(); ++n)
            inquiry.usual.unusual[places[n]] = found.is[n];
        if (found.any() && inquiry.parts.every == 0) inquiry.parts.every = found.every;
    }
    inquiry.parts.unusual = std::ranges::count(inquiry.usual.unusual, std::uint8_t{1});
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
        if (records[p * size + 1] >= nearly_always) inquiry.parts.unusual_process = static_cast<std::int64_t>(p);
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
    double all = 0, mean = 0, without_nodes = 0, without_processes = 0, without_moving = 0, unusual = 0;
};

struct CostOfGroup {
    const std::vector<ChosenExchange> &list;
    const std::vector<std::uint32_t> &places;
    const std::vector<std::uint8_t> &unusual;

    // The share of the jitter that counts.
    [[nodiscard]] double weight(std::uint32_t i) const {
        return list[i].jitter > 0 ? static_cast<double>(list[i].counted) / static_cast<double>(list[i].jitter) : 0;
    }
    // Multiplies the usual part of the cost by `noise`.
    [[nodiscard]] double of(std::span<const ArrivalSpread> spreads, double noise) const {
        double cost = 0;
        for (const std::uint32_t i : places)
            cost += weight(i) * spreads[i].range();
        const double above = above_usual(spreads);
        return noise * (cost - above) + above;
    }
    [[nodiscard]] double of_means(std::span<const double> mean) const {
        double cost = 0;
        for (const std::uint32_t i : places)
            cost += weight(i) * mean[i];
        return cost;
    }
    // The excess of unusual exchanges over the median of the others.
    [[nodiscard]] double above_usual(std::span<const ArrivalSpread> spreads) const {
        std::vector<double> usual;
        for (const std::uint32_t i : places)
            if (unusual[i] == 0) usual.push_back(spreads[i].range());
        const double middle = median_of(usual);
        double cost = 0;
        for (const std::uint32_t i : places)
            if (unusual[i] != 0 && is_known(middle)) cost += weight(i) * std::max(spreads[i].range() - middle, 0.0);
        return cost;
    }
};

Costs costs_of(Inquiry &inquiry, const SharedModel &model, const MovingRules &rules, const ResidualSpreads &spreads,
               std::span<const MovingSquares> squares) {
    Costs costs;
    for (std::uint32_t g = 0; g < inquiry.chosen.groups; ++g) {
        const CostOfGroup cost{inquiry.chosen.list, inquiry.places[g], inquiry.usual.unusual};
        const auto values = static_cast<double>(inquiry.places[g].size());
        double all = 0;
        for (const std::uint32_t i : inquiry.places[g])
            all += to_seconds(inquiry.chosen.list[i].counted);
        const double nodes = model.node_means.empty() ? all : std::min(cost.of(spreads.nodes, 1), all);
        // Subtracting a mean also removes some of the noise, here and below.
        double noise = model.has_means ? std::sqrt(values / (values - 1)) : 1;
        const double processes = model.has_means ? std::min(cost.of(spreads.processes, noise), nodes) : nodes;
        double left = processes, unusual = cost.above_usual(spreads.processes);
        if (moves(rules[g], squares[g], inquiry.places[g].size(), inquiry.processes)) {
            noise /= std::sqrt(1 - noise_taken(rules[g], inquiry.places[g].size()));
            left = std::min(cost.of(spreads.moving, noise), processes);
            unusual = cost.above_usual(spreads.moving);
            if (!is_known(inquiry.parts.period_s)) inquiry.parts.period_s = rules[g].period_s;
        }
        costs.all += all;
        costs.mean += cost.of_means(inquiry.usual.mean);
        costs.without_nodes += nodes;
        costs.without_processes += processes;
        costs.without_moving += left;
        costs.unusual += std::min(unusual, left);
    }
    return costs;
}

void fill_parts(Inquiry &inquiry, const Costs &costs) {
    ImbalanceParts &parts = inquiry.parts;
    const double total = inquiry.chosen.imbalance_s;
    const double scale = costs.all > 0 ? total / costs.all : 0;
    parts.exchanges = static_cast<std::int64_t>(inquiry.chosen.list.size());
    parts.nodes_s = scale * (costs.all - costs.without_nodes);
    parts.processes_s = scale * (costs.without_nodes - costs.without_processes);
    parts.moving_s = scale * (costs.without_processes - costs.without_moving);
    parts.steps_s = scale * costs.unusual;
    const double told = parts.nodes_s + parts.processes_s + parts.moving_s + parts.steps_s;
    parts.random_s = std::max(total - told, 0.0);
    parts.mean_s = scale * costs.mean;
    if (!parts.why_no_nodes.empty()) parts.nodes_s = unknown; // counted with the processes
    if (!(parts.nodes_s > 0)) {
        parts.late_node_process = -1;
        parts.late_node_s = unknown;
    }
    if (parts.moving_s <= 0) parts.period_s = unknown;
    const ArrivalInput &input = inquiry.input;
    if (parts.steps_s > 0 && input.events != nullptr && input.field_names != nullptr)
        parts.cause = cause_of_steps(inquiry.chosen, inquiry.usual.unusual, *input.events, *input.field_names);
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

// The first look: which exchanges are unusual, and the mean arrival of each.
bool look_at_steps(Crowd &crowd, std::span<OwnArrivals> here, Inquiry &inquiry) {
    const std::size_t count = inquiry.chosen.list.size();
    std::vector<ArrivalSum> sums(count);
    std::vector<ArrivalSpread> peaks(count);
    for (const OwnArrivals &one : here) {
        one.add_sums(sums);
        one.add_peaks(inquiry.places, peaks);
    }
    if (!crowd.unite(sums) || !crowd.unite(peaks)) return false;
    if (crowd.leads()) look_for_unusual(inquiry, sums, peaks);
    if (!crowd.share(inquiry.usual)) return false;
    for (OwnArrivals &one : here)
        one.settle(inquiry.places, inquiry.usual.mean, inquiry.usual.unusual);
    return true;
}

// The second look: what exchanges so many apart have in common.
std::optional<MovingRules> look_for_periods(Crowd &crowd, std::span<const OwnArrivals> here, Inquiry &inquiry) {
    MovingRules rules;
    // A period also shows in a sample of many processes.
    const std::size_t one_in = (inquiry.processes + most_for_period - 1) / most_for_period;
    for (std::uint32_t g = 0; g < inquiry.chosen.groups; ++g) {
        std::vector<WideNanoseconds> products(lags_of(inquiry.places[g].size()));
        for (std::size_t p = 0; p < here.size(); ++p)
            if ((static_cast<std::size_t>(inquiry.input.first_here) + p) % one_in == 0)
                here[p].add_products(inquiry.places, g, products);
        if (!crowd.unite(std::span(products))) return {};
        if (crowd.leads())
            rules.push_back(moving_rule(inquiry.chosen, inquiry.places[g], inquiry.input.dates, products,
                                        (inquiry.processes + one_in - 1) / one_in));
    }
    if (!crowd.share(rules)) return {};
    return rules;
}

// The third look: the mean of each process.
std::optional<SharedModel> look_at_means(Crowd &crowd, std::span<const OwnArrivals> here, const MovingRules &rules,
                                         Inquiry &inquiry) {
    std::vector<float> records;
    records.reserve(here.size() * arrival_record_size(inquiry.chosen.groups));
    for (const OwnArrivals &one : here) {
        const std::vector<float> record = one.record(inquiry.places, rules);
        records.insert(records.end(), record.begin(), record.end());
    }
    if (!crowd.gather(records)) return {};
    SharedModel model;
    if (crowd.leads()) model = model_of(inquiry, records);
    if (!crowd.share(model)) return {};
    return model;
}

// The last look: what is left if each part is taken off.
bool look_at_rests(Crowd &crowd, std::span<const OwnArrivals> here, const MovingRules &rules,
                   const SharedModel &model, Inquiry &inquiry) {
    const std::size_t count = inquiry.chosen.list.size(), groups = inquiry.chosen.groups;
    ResidualSpreads spreads{std::vector<ArrivalSpread>(count), std::vector<ArrivalSpread>(count),
                            std::vector<ArrivalSpread>(count)};
    std::vector<MovingSquares> squares(groups);
    ArrivalModel own{model.has_means, std::vector<double>(groups), rules};
    for (std::size_t p = 0; p < here.size(); ++p) {
        if (!model.node_means.empty()) {
            const auto process = static_cast<std::size_t>(inquiry.input.first_here) + p;
            const auto node = static_cast<std::size_t>(inquiry.input.nodes[process]);
            const auto first = model.node_means.begin() + static_cast<std::ptrdiff_t>(node * groups);
            own.of_node.assign(first, first + static_cast<std::ptrdiff_t>(groups));
        }
        here[p].add_residuals(inquiry.places, own, spreads, squares);
    }
    for (std::vector<ArrivalSpread> *one : {&spreads.nodes, &spreads.processes, &spreads.moving})
        if (!crowd.unite(std::span(*one))) return false;
    if (!crowd.unite(std::span(squares))) return false;
    if (crowd.leads()) fill_parts(inquiry, costs_of(inquiry, model, rules, spreads, squares));
    return true;
}

} // namespace

std::optional<ImbalanceParts> explain_imbalance(Crowd &crowd, const ChosenExchanges &chosen,
                                                std::span<OwnArrivals> here, std::size_t processes,
                                                const ArrivalInput &input) {
    Inquiry inquiry{chosen, input, processes, {}, {}, {}};
    inquiry.parts.why_missing = chosen.why_not;
    if (chosen.list.empty()) return inquiry.parts;
    for (std::uint32_t g = 0; g < chosen.groups; ++g)
        inquiry.places.push_back(chosen.places_of(g));
    if (!look_at_steps(crowd, here, inquiry)) return {};
    const std::optional<MovingRules> rules = look_for_periods(crowd, here, inquiry);
    if (!rules) return {};
    const std::optional<SharedModel> model = look_at_means(crowd, here, *rules, inquiry);
    if (!model || !look_at_rests(crowd, here, *rules, *model, inquiry)) return {};
    return inquiry.parts;
}

ArrivalsOfAll::ArrivalsOfAll(const EventTable &events, const Window &window, std::size_t processes, std::size_t most)
    : events_(events), chosen_(choose_exchanges(events, window, processes, most)), starts_(processes) {}

void ArrivalsOfAll::set(std::size_t process, const Row &row) {
    starts_[process].clear();
    starts_[process].reserve(chosen_.list.size());
    for (const ChosenExchange &e : chosen_.list)
        starts_[process].push_back(row.start[e.event]);
}

ImbalanceParts ArrivalsOfAll::parts(const std::vector<std::string> &field_names,
                                    std::span<const std::int32_t> nodes) const {
    std::vector<OwnArrivals> here;
    here.reserve(starts_.size());
    for (const std::vector<Nanoseconds> &starts : starts_)
        if (!chosen_.list.empty()) here.emplace_back(chosen_, starts);
    const std::vector<std::int64_t> dates = dates_of(chosen_, events_.keys);
    Crowd all_here;
    const ArrivalInput input{nodes, 0, dates, &events_, &field_names};
    return explain_imbalance(all_here, chosen_, here, starts_.size(), input).value_or(ImbalanceParts());
}

std::vector<std::int64_t> dates_of(const ChosenExchanges &chosen, const EventKeys &keys) {
    std::vector<std::int64_t> dates;
    if (!keys.has_dates()) return dates;
    for (const ChosenExchange &e : chosen.list) {
        if (keys.date(e.event) == no_date) return {};
        dates.push_back(keys.date(e.event));
    }
    return dates;
}

} // namespace cpl_lb
