// Sums of cores over parts side by side, maxima over parts one after the other.
#include "prediction/processor_pool.hpp"

#include <algorithm>
#include <numeric>

namespace cpl_lb {
namespace {

using Way = ProcessorPool::Kind;

double gain_of(const ProcessorPool &pool, const std::vector<double> &gains) {
    if (pool.kind == Way::component) return gains[pool.component];
    double gain = 0;
    for (const ProcessorPool &part : pool.parts) {
        const double g = gain_of(part, gains);
        // One more core for all parts in turn helps each of them; side by side only one can have it.
        gain = pool.kind == Way::one_after_other ? gain + g : std::max(gain, g);
    }
    return gain;
}

void share_weight(const ProcessorPool &pool, const std::vector<double> &gains, double weight,
                  std::vector<double> &weights) {
    if (pool.kind == Way::component) {
        weights[pool.component] = weight;
        return;
    }
    const double all = gain_of(pool, gains);
    for (const ProcessorPool &part : pool.parts) {
        double share = 1;
        if (pool.kind == Way::one_after_other)
            share = all > 0 ? gain_of(part, gains) / all : 1.0 / static_cast<double>(pool.parts.size());
        share_weight(part, gains, weight * share, weights);
    }
}

// The members in groups that are connected by `linked`.
template <typename Linked>
std::vector<std::vector<std::size_t>> groups_of(std::vector<std::size_t> members, const Linked &linked) {
    std::vector<std::vector<std::size_t>> groups;
    while (!members.empty()) {
        std::vector<std::size_t> group = {members.front()};
        members.erase(members.begin());
        for (std::size_t n = 0; n < group.size(); ++n) {
            const auto apart = std::stable_partition(members.begin(), members.end(),
                                                     [&](std::size_t m) { return !linked(group[n], m); });
            group.insert(group.end(), apart, members.end());
            members.erase(apart, members.end());
        }
        std::sort(group.begin(), group.end());
        groups.push_back(std::move(group));
    }
    std::sort(groups.begin(), groups.end());
    return groups;
}

ProcessorPool pool_of_members(const std::vector<std::size_t> &members, const std::vector<std::vector<bool>> &shares) {
    if (members.size() == 1) return {Way::component, members.front(), {}};
    ProcessorPool pool;
    auto groups = groups_of(members, [&](std::size_t a, std::size_t b) { return shares[a][b]; });
    if (groups.size() == 1) {
        groups = groups_of(members, [&](std::size_t a, std::size_t b) { return !shares[a][b]; });
        pool.kind = Way::one_after_other;
    }
    if (groups.size() == 1) {
        pool.kind = Way::side_by_side;
        groups.clear();
        for (const std::size_t m : members)
            groups.push_back({m});
    }
    for (const auto &group : groups)
        pool.parts.push_back(pool_of_members(group, shares));
    return pool;
}

} // namespace

double ProcessorPool::of_all(const std::vector<double> &each) const {
    if (kind == Way::component) return each[component];
    double all = 0;
    for (const ProcessorPool &part : parts)
        all = kind == Way::side_by_side ? all + part.of_all(each) : std::max(all, part.of_all(each));
    return all;
}

std::vector<double> ProcessorPool::weights(const std::vector<double> &gains) const {
    std::vector<double> result(gains.size());
    share_weight(*this, gains, 1, result);
    return result;
}

std::string ProcessorPool::shared_in_words(const std::vector<std::string> &names) const {
    if (kind == Way::component) return "";
    std::string text;
    for (const ProcessorPool &part : parts) {
        const std::string words = part.kind == Way::component && kind == Way::one_after_other
                                      ? names[part.component]
                                      : part.shared_in_words(names);
        if (words.empty() && kind == Way::side_by_side) continue;
        std::string inner = words;
        if (kind == Way::one_after_other && part.kind == Way::side_by_side) {
            inner.clear();
            for (const ProcessorPool &beside : part.parts)
                inner += (inner.empty() ? "(" : " beside ") +
                         (beside.kind == Way::component ? names[beside.component] : beside.shared_in_words(names));
            inner += ")";
        }
        text += (text.empty() ? "" : kind == Way::one_after_other ? " + " : "; ") + inner;
    }
    return text;
}

ProcessorPool cores_of_their_own(std::size_t components) {
    ProcessorPool pool;
    for (std::size_t c = 0; c < components; ++c)
        pool.parts.push_back({Way::component, c, {}});
    return pool;
}

ProcessorPool pool_of(const std::vector<std::vector<bool>> &shares) {
    std::vector<std::size_t> members(shares.size());
    std::iota(members.begin(), members.end(), std::size_t{0});
    return pool_of_members(members, shares);
}

} // namespace cpl_lb
