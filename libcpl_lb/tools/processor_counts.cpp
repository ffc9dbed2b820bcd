#include "tools/processor_counts.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::int64_t most_processes = 1'000'000'000;

std::int64_t count_of(const std::string &option, const std::string &text) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size() || n < 1 || n > most_processes)
        throw std::invalid_argument(option + ": not a number of processes: '" + text + "'");
    return n;
}

} // namespace

std::map<std::string, std::vector<std::int64_t>> processor_lists(const std::string &option, const std::string &text,
                                                                 const std::vector<std::string> &components) {
    std::map<std::string, std::vector<std::int64_t>> lists;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t sign = part.rfind('=');
        if (sign == std::string::npos || sign == 0)
            throw std::invalid_argument(option + ": not COMPONENT=PROCESSES: '" + part + "'");
        const std::string name = part.substr(0, sign);
        if (std::find(components.begin(), components.end(), name) == components.end()) {
            std::string known;
            for (const std::string &component : components)
                known += (known.empty() ? "" : ", ") + component;
            throw std::invalid_argument(option + ": there is no component '" + name + "'; there are " + known);
        }
        const auto [list, is_new] = lists.try_emplace(name);
        if (!is_new) throw std::invalid_argument(option + ": '" + name + "' is given twice");
        std::istringstream numbers(part.substr(sign + 1) + ":");
        for (std::string number; std::getline(numbers, number, ':');)
            list->second.push_back(count_of(option, number));
    }
    if (lists.empty()) throw std::invalid_argument(option + ": nothing is given");
    return lists;
}

std::map<std::string, std::int64_t> processor_counts(const std::string &option, const std::string &text,
                                                     const std::vector<std::string> &components) {
    std::map<std::string, std::int64_t> counts;
    for (const auto &[name, list] : processor_lists(option, text, components)) {
        if (list.size() != 1) throw std::invalid_argument(option + ": one number for '" + name + "', not several");
        counts[name] = list.front();
    }
    return counts;
}

} // namespace cpl_lb
