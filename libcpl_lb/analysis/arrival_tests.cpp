// Analyses of variance, and values that lie far above the others.
#include "analysis/arrival_tests.hpp"

#include "analysis/mean_error.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace cpl_lb {
namespace {

// Squares between the means of groups and inside the groups, with the degrees of freedom of each.
struct Variance {
    double between = 0, inside = 0, between_degrees = 0, inside_degrees = 0;

    // Whether F, the ratio of both variances, is so many standard deviations larger than chance makes it: Paulson
    // 1942, An approximate normalization of the analysis of variance distribution.
    [[nodiscard]] bool beyond_chance(double deviations) const {
        if (!(between_degrees > 0 && inside_degrees > 0 && between > 0)) return false;
        const double least_inside = std::max(inside, 1e-12 * between); // values without any noise
        const double root = std::cbrt(between / between_degrees / (least_inside / inside_degrees));
        const double a = 2 / (9 * between_degrees), b = 2 / (9 * inside_degrees);
        return (1 - b) * root - (1 - a) > deviations * std::sqrt(b * root * root + a);
    }
};

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
    double sum = 0, squares = 0, count = 0;
};

} // namespace

bool processes_differ(std::span<const float> batches, std::size_t batches_of_process) {
    const std::vector<std::vector<float>> columns = centred_columns(batches, batches_of_process);
    if (columns.size() < batches_of_process / 2) return false;
    std::vector<double> sums(columns.front().size());
    double all = 0;
    for (const std::vector<float> &column : columns) {
        for (std::size_t p = 0; p < column.size(); ++p) {
            const auto value = static_cast<double>(column[p]);
            sums[p] += value;
            all += value * value;
        }
    }
    const auto count = static_cast<double>(columns.size()), others = static_cast<double>(sums.size()) - 1;
    Variance of;
    for (const double sum : sums)
        of.between += sum * sum / count;
    of.inside = all - of.between;
    of.between_degrees = others;
    of.inside_degrees = (count - 1) * others;
    return of.beyond_chance(one_in_1000);
}

bool nodes_differ(std::span<const double> late, std::span<const std::int32_t> nodes) {
    std::vector<OfNode> of(static_cast<std::size_t>(*std::ranges::max_element(nodes)) + 1);
    for (std::size_t p = 0; p < late.size(); ++p) {
        OfNode &node = of[static_cast<std::size_t>(nodes[p])];
        node.sum += late[p];
        node.squares += late[p] * late[p];
        node.count += 1;
    }
    std::erase_if(of, [](const OfNode &node) { return node.count < 2; });
    OfNode all;
    Variance variance;
    for (const OfNode &node : of) {
        all.sum += node.sum;
        all.count += node.count;
        variance.between += node.sum * node.sum / node.count;
        variance.inside += node.squares - node.sum * node.sum / node.count;
    }
    if (of.size() < 2) return false;
    variance.between -= all.sum * all.sum / all.count;
    variance.between_degrees = static_cast<double>(of.size()) - 1;
    variance.inside_degrees = all.count - static_cast<double>(of.size());
    return variance.beyond_chance(one_in_100);
}

std::vector<std::uint8_t> far_above_median(std::span<const double> values) {
    constexpr std::size_t least_values = 5;
    constexpr double deviation_of_median = 1.4826; // standard deviation / median deviation, of a normal distribution
    std::vector<std::uint8_t> stalls(values.size());
    std::vector<double> known;
    std::ranges::copy_if(values, std::back_inserter(known), is_known);
    if (known.size() < least_values) return stalls;
    const double median = median_of(known);
    for (double &value : known)
        value = std::abs(value - median);
    const double far = median + 8 * deviation_of_median * median_of(known);
    for (std::size_t i = 0; i < values.size(); ++i)
        stalls[i] = values[i] > far && values[i] > 1.5 * median ? 1 : 0;
    return stalls;
}

std::vector<std::uint8_t> find_stalls(std::span<const double> values) {
    std::vector<std::uint8_t> stalls = far_above_median(values);
    if (std::ranges::count(stalls, std::uint8_t{1}) * 10 > std::ranges::count_if(values, is_known))
        std::ranges::fill(stalls, std::uint8_t{0});
    return stalls;
}

} // namespace cpl_lb
