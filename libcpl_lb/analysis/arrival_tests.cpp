// Permutes and counts. The random numbers are the same each time, so that a run always has one result. Unusual steps:
// tries every period, then looks at single values.
#include "analysis/arrival_tests.hpp"

#include "data/time.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

class Numbers { // splitmix64 (Steele, Lea and Flood 2014)
public:
    std::uint64_t below(std::uint64_t end) {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return (z ^ (z >> 31U)) % end;
    }
    template <class Element>
    void shuffle(std::span<Element> list) {
        for (std::size_t i = list.size(); i > 1; --i)
            std::swap(list[i - 1], list[below(i)]);
    }

private:
    std::uint64_t state_ = 1;
};

constexpr std::size_t most_orders = 9999, least_orders = 99, most_moves = 2'000'000;
// Multiples of the variance that chance gives. Below `hardly` the processes do not differ. Above `beyond_doubt` they
// do, even where few processes and exchanges have too few orders for a test.
constexpr double hardly = 2, beyond_doubt = 50;

std::size_t orders_for(std::size_t values) {
    return std::clamp(most_moves / std::max<std::size_t>(values, 1), least_orders, most_orders);
}

// The sum of the squares of the processes' sums. columns: one for each batch, of all processes.
double between_processes(const std::vector<std::vector<float>> &columns, std::vector<double> &sums) {
    std::ranges::fill(sums, 0.0);
    for (const std::vector<float> &column : columns)
        for (std::size_t p = 0; p < column.size(); ++p)
            sums[p] += static_cast<double>(column[p]);
    double squares = 0;
    for (const double sum : sums)
        squares += sum * sum;
    return squares;
}

// The variance of the processes' means, as a multiple of what the variance inside them gives (F of an analysis of
// variance).
double times_chance(const std::vector<std::vector<float>> &columns, double between) {
    double all = 0;
    for (const std::vector<float> &column : columns)
        for (const float value : column)
            all += static_cast<double>(value) * static_cast<double>(value);
    const auto count = static_cast<double>(columns.size());
    const double inside = std::max(all - between / count, 1e-12 * all);
    return between / count * (count - 1) / inside;
}

// Whether as few as 1 in `one_in` of the orders give a value as large.
template <class Value>
bool rarer_than(std::size_t one_in, std::size_t orders, double observed, Value value_of_order) {
    std::size_t as_large = 0;
    for (std::size_t order = 0; order < orders; ++order) {
        if (value_of_order() >= observed) ++as_large;
        if ((as_large + 1) * one_in > orders + 1 && as_large > 0) return false;
    }
    return true;
}

// Columns less their means; a process that took no part stands at the mean.
std::vector<std::vector<float>> centred_columns(std::span<const float> batches, std::size_t width) {
    std::vector<std::vector<float>> columns;
    const std::size_t processes = batches.size() / width;
    for (std::size_t b = 0; b < width; ++b) {
        double sum = 0, count = 0;
        for (std::size_t p = 0; p < processes; ++p) {
            const auto value = static_cast<double>(batches[p * width + b]);
            if (!is_known(value)) continue;
            sum += value;
            count += 1;
        }
        if (count < 2) continue;
        std::vector<float> column(processes);
        for (std::size_t p = 0; p < processes; ++p) {
            const auto value = static_cast<double>(batches[p * width + b]);
            column[p] = is_known(value) ? static_cast<float>(value - sum / count) : 0.0F;
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

struct OfNode {
    double sum = 0, count = 0;
};

double between_nodes(std::span<const double> late, std::span<const std::int32_t> nodes, std::vector<OfNode> &of) {
    std::ranges::fill(of, OfNode());
    for (std::size_t p = 0; p < late.size(); ++p) {
        OfNode &node = of[static_cast<std::size_t>(nodes[p])];
        node.sum += late[p];
        node.count += 1;
    }
    double squares = 0;
    for (const OfNode &node : of)
        if (node.count > 0) squares += node.sum * node.sum / node.count;
    return squares;
}

constexpr std::size_t longest_rule = 64;        // steps
constexpr std::size_t least_of_rule = 5;        // values that a rule needs
constexpr std::size_t examined_for_rule = 4096; // a longer series shows its rule in its beginning
constexpr double deviation_of_median = 1.4826;  // standard deviation / median deviation, of a normal distribution

// The standard deviation around the values' own centres.
double deviation(std::vector<double> residuals) {
    for (double &r : residuals)
        r = std::abs(r);
    return deviation_of_median * median_of(residuals);
}

// The values at one phase of the period.
std::vector<double> at_phase(std::span<const double> values, std::size_t period, std::size_t phase) {
    std::vector<double> at;
    for (std::size_t i = phase; i < values.size(); i += period)
        if (is_known(values[i])) at.push_back(values[i]);
    return at;
}

struct Rule {
    std::size_t period = 0;
    std::vector<bool> heavy; // by phase
    double excess = 0;       // of all heavy values together
};

struct Phases {
    std::vector<double> median, low; // low: four of five values are above it
    std::vector<std::size_t> count;
    double deviation = 0; // of the values around the medians of their phases
};

Phases phases_of(std::span<const double> values, std::size_t period) {
    Phases phases;
    std::vector<double> residuals;
    for (std::size_t phase = 0; phase < period; ++phase) {
        std::vector<double> at = at_phase(values, period, phase);
        phases.count.push_back(at.size());
        const double median = median_of(at);
        phases.median.push_back(median);
        for (const double value : at)
            residuals.push_back(value - median);
        const std::size_t fifth = at.size() / 5;
        if (!at.empty()) std::nth_element(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(fifth), at.end());
        phases.low.push_back(at.empty() ? unknown : at[fifth]);
    }
    phases.deviation = deviation(std::move(residuals));
    return phases;
}

// The larger of the medians two phases away. It keeps a slow rise and fall from counting as unusual steps.
double beside(const Phases &phases, std::size_t phase) {
    const std::size_t period = phases.median.size(), away = period >= 5 ? 2 : 1;
    return std::max(phases.median[(phase + away) % period], phases.median[(phase + period - away) % period]);
}

Rule rule_of(std::span<const double> values, std::size_t period) {
    const Phases phases = phases_of(values, period);
    std::vector<double> medians = phases.median;
    // Rounds down: of two phases the lower one is usual, because at most half of all phases are heavy.
    const auto low = medians.begin() + static_cast<std::ptrdiff_t>((period - 1) / 2);
    std::nth_element(medians.begin(), low, medians.end());
    const double usual = *low;
    Rule rule{period, std::vector<bool>(period), 0};
    std::size_t heavy = 0;
    for (std::size_t phase = 0; phase < period; ++phase) {
        const double excess = phases.median[phase] - usual;
        const auto count = static_cast<double>(phases.count[phase]);
        // A few values may stand out by chance, because many periods and phases are tried.
        const double least = phases.deviation * std::max(1.5, 12.0 / std::sqrt(count));
        const bool stands_out = phases.count[phase] >= least_of_rule && excess > least && excess > 0.5 * usual &&
                                phases.low[phase] > usual + 0.25 * excess &&
                                phases.median[phase] - beside(phases, phase) > 0.5 * excess;
        if (!stands_out) continue;
        rule.heavy[phase] = true;
        rule.excess += excess * count;
        ++heavy;
    }
    if (heavy > std::max<std::size_t>(1, period / 4)) return {};
    return rule;
}

// The shortest period that explains nearly as much as the best one.
Rule best_rule(std::span<const double> values) {
    const std::span<const double> examined = values.first(std::min(values.size(), examined_for_rule));
    std::vector<Rule> rules;
    double best = 0;
    for (std::size_t period = 2; period <= std::min(longest_rule, examined.size() / least_of_rule); ++period) {
        rules.push_back(rule_of(examined, period));
        best = std::max(best, rules.back().excess);
    }
    for (const Rule &rule : rules)
        if (rule.excess > 0 && rule.excess >= 0.9 * best) return rule;
    return {};
}

void mark_single(std::span<const double> values, std::vector<std::uint8_t> &is) {
    std::vector<double> usual;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is[i] == 0 && is_known(values[i])) usual.push_back(values[i]);
    if (usual.size() < least_of_rule) return;
    const double median = median_of(usual);
    std::vector<double> residuals;
    residuals.reserve(usual.size());
    for (const double value : usual)
        residuals.push_back(value - median);
    const double far = median + 8 * deviation(std::move(residuals));
    std::vector<std::size_t> single;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is[i] == 0 && values[i] > far && values[i] > 1.5 * median) single.push_back(i);
    if (single.size() * 10 > usual.size()) return;
    for (const std::size_t i : single)
        is[i] = 1;
}

// The time of the step before each exchange, also if only some of the exchanges were chosen.
std::vector<Interval> steps_before(const ChosenExchanges &chosen) {
    std::vector<Interval> steps(chosen.list.size());
    for (std::uint32_t g = 0; g < chosen.groups; ++g) {
        const std::vector<std::uint32_t> places = chosen.places_of(g);
        const Nanoseconds all = chosen.list[places.back()].first - chosen.list[places.front()].first;
        const auto between = static_cast<Nanoseconds>(places.size() - 1) * static_cast<Nanoseconds>(chosen.one_in);
        const Nanoseconds step = between > 0 ? all / between : 0;
        for (std::size_t n = 0; n < places.size(); ++n) {
            const ChosenExchange &e = chosen.list[places[n]];
            const bool after_one = n > 0 && chosen.one_in == 1;
            const Nanoseconds begin = after_one ? chosen.list[places[n - 1]].first : e.first - step;
            steps[places[n]] = {begin, e.first + e.jitter};
        }
    }
    return steps;
}

struct Seen {
    double unusual = 0, usual = 0; // exchanges before which it lies
};

} // namespace

bool processes_differ(std::span<const float> batches, std::size_t batches_of_process) {
    std::vector<std::vector<float>> columns = centred_columns(batches, batches_of_process);
    if (columns.size() < batches_of_process / 2) return false;
    std::vector<double> sums(columns.front().size());
    const double observed = between_processes(columns, sums);
    const double times = times_chance(columns, observed);
    if (times < hardly || times > beyond_doubt) return times > beyond_doubt;
    Numbers numbers;
    return rarer_than(1000, orders_for(batches.size()), observed, [&] {
        for (std::vector<float> &column : columns)
            numbers.shuffle(std::span(column));
        return between_processes(columns, sums);
    });
}

bool nodes_differ(std::span<const double> late, std::span<const std::int32_t> nodes) {
    double mean = 0;
    for (const double one : late)
        mean += one / static_cast<double>(late.size());
    std::vector<double> values;
    for (const double one : late)
        values.push_back(one - mean);
    std::vector<OfNode> of(static_cast<std::size_t>(*std::ranges::max_element(nodes)) + 1);
    const double observed = between_nodes(values, nodes, of);
    Numbers numbers;
    return rarer_than(100, orders_for(late.size()), observed, [&] {
        numbers.shuffle(std::span(values));
        return between_nodes(values, nodes, of);
    });
}

bool UnusualSteps::any() const {
    return std::ranges::find(is, 1) != is.end();
}

double median_of(std::vector<double> &values) {
    const auto known = std::remove_if(values.begin(), values.end(), [](double v) { return !is_known(v); });
    const auto count = known - values.begin();
    if (count == 0) return unknown;
    const auto middle = values.begin() + count / 2;
    std::nth_element(values.begin(), middle, known);
    if (count % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

UnusualSteps find_unusual(std::span<const double> values) {
    UnusualSteps found;
    found.is.assign(values.size(), 0);
    const Rule rule = best_rule(values);
    for (std::size_t i = 0; i < values.size() && rule.period > 0; ++i)
        found.is[i] = rule.heavy[i % rule.period] ? 1 : 0;
    found.every = static_cast<std::int64_t>(rule.period);
    // Two heavy phases in a period of 12 are "every 6th" on average.
    if (rule.period > 0) found.every /= std::ranges::count(rule.heavy, true);
    mark_single(values, found.is);
    return found;
}

std::string cause_of_steps(const ChosenExchanges &chosen, std::span<const std::uint8_t> unusual,
                           const EventTable &events, const std::vector<std::string> &field_names) {
    const std::vector<EventClass> &classes = events.keys.classes();
    const auto all_unusual = static_cast<double>(std::ranges::count(unusual, std::uint8_t{1}));
    const double all_usual = static_cast<double>(unusual.size()) - all_unusual;
    if (all_unusual == 0 || all_usual == 0) return "";
    const std::vector<Interval> steps = steps_before(chosen);
    std::vector<std::vector<Nanoseconds>> begins(classes.size());
    for (std::size_t k = 0; k < events.keys.size(); ++k) {
        const std::uint32_t c = events.keys.class_of(k);
        if (is_operation(classes[c].kind) && !events.spans[k].empty())
            begins[c].push_back(events.spans[k].first_start);
    }
    double best = 0.6;
    std::string cause;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (begins[c].empty()) continue;
        std::ranges::sort(begins[c]);
        Seen seen;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto next = std::ranges::lower_bound(begins[c], steps[i].start);
            if (next == begins[c].end() || *next >= steps[i].stop) continue;
            (unusual[i] != 0 ? seen.unusual : seen.usual) += 1;
        }
        const double in_unusual = seen.unusual / all_unusual, in_usual = seen.usual / all_usual;
        if (in_unusual < 0.8 || in_usual > 0.2 || in_unusual - in_usual <= best) continue;
        best = in_unusual - in_usual;
        const auto field = static_cast<std::size_t>(classes[c].field);
        cause = std::string(name_of(classes[c].kind));
        if (field >= 1 && field <= field_names.size()) cause += " of " + field_names[field - 1];
    }
    return cause;
}

} // namespace cpl_lb
