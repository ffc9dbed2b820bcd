// Lists the counts that each component may have.
#include "support/fmt.hpp"
#include "tools/balance/balance_model.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace cpl_lb {
namespace {

// A number for all components, "8", or for some, "atm=8,ocn=16"; 0 if nothing is given.
std::vector<std::int64_t> limits(const std::string &option, const std::string &text,
                                 const std::vector<std::string> &names) {
    std::vector<std::int64_t> values(names.size());
    if (text.empty()) return values;
    std::string each = text;
    if (text.find('=') == std::string::npos) {
        each.clear();
        for (const std::string &name : names)
            each += (each.empty() ? "" : ",") + name + "=" + text;
    }
    const auto counts = processor_counts(option, each, names);
    for (std::size_t c = 0; c < names.size(); ++c)
        if (const auto given = counts.find(names[c]); given != counts.end()) values[c] = given->second;
    return values;
}

} // namespace

std::vector<AllowedCounts> allowed_counts(const BalanceOptions &o, const BalanceModel &model, std::int64_t total) {
    const std::vector<std::string> &names = model.names;
    const auto least = limits("--min", o.min, names);
    const auto most = limits("--max", o.max, names);
    const auto block = limits("--block", o.block, names);
    std::map<std::string, std::vector<std::int64_t>> lists;
    if (!o.allowed.empty()) lists = processor_lists("--allowed", o.allowed, names);
    std::vector<AllowedCounts> allowed;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::int64_t memory = model.memory_floor(c);
        const std::int64_t low = std::max({std::int64_t{1}, least[c], memory});
        const std::int64_t high = most[c] > 0 ? std::min(most[c], total) : total;
        const std::int64_t step = std::lcm(std::max<std::int64_t>(block[c], 1), model.threads[c]);
        AllowedCounts counts{names[c], {}};
        const auto list = lists.find(names[c]);
        const bool asked = list != lists.end() || least[c] > 0 || most[c] > 0;
        if (model.held(c) > 0 && !asked) {
            if (model.held(c) <= total) counts.counts.push_back(model.held(c));
        } else if (list != lists.end()) {
            for (const std::int64_t n : list->second)
                if (n >= low && n <= high && n % step == 0) counts.counts.push_back(n);
            std::sort(counts.counts.begin(), counts.counts.end());
            counts.counts.erase(std::unique(counts.counts.begin(), counts.counts.end()), counts.counts.end());
        } else {
            for (std::int64_t n = (low + step - 1) / step * step; n <= high; n += step)
                counts.counts.push_back(n);
        }
        if (counts.counts.empty()) {
            throw PredictionError(fmt::format("{}: no count is possible: at least {} ({}), at most {} ({}){}{}",
                                              names[c], low,
                                              low == memory && low > least[c] && low > 1 ? "its memory" : "--min",
                                              high, most[c] > 0 && most[c] <= total ? "--max" : "--total",
                                              step > 1 ? fmt::format(", a multiple of {}", step) : "",
                                              lists.count(names[c]) != 0 ? ", one of --allowed" : ""));
        }
        allowed.push_back(std::move(counts));
    }
    return allowed;
}

} // namespace cpl_lb
