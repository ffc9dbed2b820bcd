// Adds cores over parts side by side, and takes maxima over parts one after the other.
#include "prediction/processor_pool.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

namespace cpl_lb {
namespace {

using Way = ProcessorPool::Kind;

void share_weight(const ProcessorPool &pool, const std::vector<double> &gains, double weight,
                  std::vector<double> &weights) {
    if (pool.kind == Way::component) {
        weights[pool.component] = weight;
        return;
    }
    // One more core helps each of the parts in turn; of parts side by side only one can have it.
    const double all = pool.time_of_all(gains);
    for (const ProcessorPool &part : pool.parts) {
        double share = 1;
        if (pool.kind == Way::one_after_other)
            share = all > 0 ? part.time_of_all(gains) / all : 1.0 / static_cast<double>(pool.parts.size());
        share_weight(part, gains, weight * share, weights);
    }
}

using Members = std::vector<std::size_t>;

// The members in groups that are connected by sharing cores, or by not sharing any.
std::vector<Members> groups_of(const Members &members, const Sharing &shares, bool by_sharing) {
    std::vector<Members> groups;
    std::set<std::size_t> left(members.begin(), members.end());
    while (!left.empty()) {
        Members group = {*left.begin()};
        left.erase(left.begin());
        for (std::size_t n = 0; n < group.size(); ++n) {
            const Members &others = shares[group[n]];
            for (const std::size_t m : others)
                if (by_sharing && left.erase(m) > 0) group.push_back(m);
            // Members that stay are among the others, so the total number of steps is the number of sharing pairs.
            for (auto m = left.begin(); !by_sharing && m != left.end();) {
                const bool linked = !std::ranges::binary_search(others, *m);
                if (linked) group.push_back(*m);
                m = linked ? left.erase(m) : std::next(m);
            }
        }
        std::ranges::sort(group);
        groups.push_back(std::move(group));
    }
    return groups; // ordered by their first members
}

ProcessorPool pool_of_members(const Members &members, const Sharing &shares) {
    if (members.size() == 1) return {Way::component, members.front(), {}};
    ProcessorPool pool;
    auto groups = groups_of(members, shares, true);
    if (groups.size() == 1) {
        groups = groups_of(members, shares, false);
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

// Follows each leaf's way up to the root: `least` and `beside` of the pool so far.
void enter_others(const ProcessorPool &pool, const std::vector<double> &each, ProcessorPool::WithOthers so_far,
                  std::vector<ProcessorPool::WithOthers> &result) {
    if (pool.kind == Way::component) {
        result[pool.component] = so_far;
        return;
    }
    const bool side_by_side = pool.kind == Way::side_by_side;
    std::vector<double> parts;
    double all = 0, most = 0, second = 0;
    for (const ProcessorPool &part : pool.parts) {
        parts.push_back(part.of_all(each));
        all += parts.back();
        second = std::max(second, std::min(most, parts.back()));
        most = std::max(most, parts.back());
    }
    for (std::size_t i = 0; i < pool.parts.size(); ++i) {
        ProcessorPool::WithOthers with = so_far;
        if (side_by_side)
            with.beside += all - parts[i];
        else
            with.least = std::max(with.least, with.beside + (parts[i] == most ? second : most));
        enter_others(pool.parts[i], each, with, result);
    }
}

} // namespace

double ProcessorPool::of_all(const std::vector<double> &each) const {
    if (kind == Way::component) return each[component];
    double all = 0;
    for (const ProcessorPool &part : parts)
        all = kind == Way::side_by_side ? all + part.of_all(each) : std::max(all, part.of_all(each));
    return all;
}

double ProcessorPool::time_of_all(const std::vector<double> &each) const {
    if (kind == Way::component) return each[component];
    double time = 0;
    for (const ProcessorPool &part : parts) {
        const double s = part.time_of_all(each);
        time = kind == Way::one_after_other ? time + s : std::max(time, s);
    }
    return time;
}

std::vector<ProcessorPool::WithOthers> ProcessorPool::with_others(const std::vector<double> &each) const {
    std::vector<WithOthers> result(each.size());
    enter_others(*this, each, {}, result);
    return result;
}

std::vector<double> ProcessorPool::weights(const std::vector<double> &gains) const {
    std::vector<double> result(gains.size());
    share_weight(*this, gains, 1, result);
    return result;
}

bool ProcessorPool::in_turn(std::size_t a, std::size_t b, std::size_t components) const {
    std::vector<double> each(components);
    each[a] = each[b] = 1;
    return of_all(each) == 1; // side by side: 2
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

ProcessorPool pool_of_all(const ProcessorPool &pool, std::size_t components) {
    return pool.parts.empty() ? cores_of_their_own(components) : pool;
}

ProcessorPool pool_of(const Sharing &shares) {
    Members members(shares.size());
    std::iota(members.begin(), members.end(), std::size_t{0});
    return pool_of_members(members, shares);
}

} // namespace cpl_lb
