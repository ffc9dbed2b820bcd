// The lag between the PUTs and the GETs of an exchange (docs/definitions.md, section 1), in linear time.
#include "analysis/exchanges.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// How many PUTs find a GET `lag` places on.
std::size_t pairs_at(std::size_t lag, std::size_t puts, std::size_t gets) {
    return lag < gets ? std::min(puts, gets - lag) : 0;
}

// If a constant lag leaves fewer pairs than this, the two sides have different histories and no lag.
std::size_t longest_lag(std::size_t puts, std::size_t gets) {
    const std::size_t least_pairs = std::max<std::size_t>(1, std::min(puts, gets) / 2);
    return gets > least_pairs ? gets - least_pairs : 0;
}

// violations[l]: pairs (n, n + l) whose GET ended before the PUT began. PUT n needs a lag of at least
// m - n, where GET m is the first that did not end before it; with a smaller one, its pair (if GET n + l exists,
// which it does below m) is a violation.
std::vector<std::int64_t> violations_by_lag(const std::vector<Nanoseconds> &put_begins,
                                            const std::vector<Nanoseconds> &get_ends, Nanoseconds clock_bound) {
    std::vector<std::int64_t> violations(longest_lag(put_begins.size(), get_ends.size()) + 1);
    std::size_t m = 0;
    for (std::size_t n = 0; n < put_begins.size(); ++n) {
        while (m < get_ends.size() && get_ends[m] < put_begins[n] - clock_bound)
            ++m;
        if (m > n) ++violations[std::min(m - n, violations.size()) - 1];
    }
    // So far element l counts PUTs that need exactly l + 1 (the last: at least). They violate at smaller lags, too.
    for (std::size_t l = violations.size() - 1; l > 0; --l)
        violations[l - 1] += violations[l];
    return violations;
}

} // namespace

Lag find_lag(const std::vector<Nanoseconds> &put_begins, const std::vector<Nanoseconds> &get_ends,
             Nanoseconds clock_bound) {
    const std::vector<std::int64_t> violations = violations_by_lag(put_begins, get_ends, clock_bound);
    const auto best = std::min_element(violations.begin(), violations.end());
    const auto lag = static_cast<std::size_t>(best - violations.begin());
    return {.lag = static_cast<std::int64_t>(lag),
            .matched = static_cast<std::int64_t>(pairs_at(lag, put_begins.size(), get_ends.size())),
            .violations = *best};
}

} // namespace cpl_lb
