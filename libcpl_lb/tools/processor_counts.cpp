// Reads lists such as "ocean=96,atmosphere=32", checks their names, and compares counts with measured ones.
#include "tools/processor_counts.hpp"

#include "report/format.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::int64_t most_processes = 1'000'000'000;

// what: of which, in words.
std::int64_t count_of(const std::string &option, const std::string &text, const std::string &what) {
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size() || n < 1 || n > most_processes)
        throw std::invalid_argument(option + ": not a number of " + what + ": '" + text + "'");
    return n;
}

double number_of(const std::string &option, const std::string &text) {
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
    if (error != std::errc{} || end != text.data() + text.size() || !(x >= 0) || !std::isfinite(x))
        throw std::invalid_argument(option + ": not a number of 0 or more: '" + text + "'");
    return x;
}

} // namespace

ComponentWords component_words(const std::string &option, const std::string &text, const std::string &what,
                               const std::vector<std::string> &components) {
    ComponentWords result;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t sign = part.rfind('=');
        if (sign == std::string::npos || sign == 0)
            throw std::invalid_argument(option + ": not COMPONENT=" + what + ": '" + part + "'");
        const std::string name = part.substr(0, sign);
        if (std::find(components.begin(), components.end(), name) == components.end()) {
            std::string known;
            for (const std::string &component : components)
                known += (known.empty() ? "" : ", ") + component;
            throw std::invalid_argument(option + ": there is no component '" + name + "'; there are " + known);
        }
        const auto [list, is_new] = result.try_emplace(name);
        if (!is_new) throw std::invalid_argument(option + ": '" + name + "' is given twice");
        std::istringstream numbers(part.substr(sign + 1) + ":");
        for (std::string number; std::getline(numbers, number, ':');)
            list->second.push_back(number);
    }
    if (result.empty()) throw std::invalid_argument(option + ": nothing is given");
    return result;
}

std::map<std::string, std::vector<std::int64_t>> processor_lists(const std::string &option, const std::string &text,
                                                                 const std::vector<std::string> &components,
                                                                 const std::string &what) {
    std::map<std::string, std::vector<std::int64_t>> lists;
    std::string words = what;
    for (char &letter : words)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    for (const auto &[name, values] : component_words(option, text, what, components))
        for (const std::string &value : values)
            lists[name].push_back(count_of(option, value, words));
    return lists;
}

std::vector<std::vector<double>> component_numbers(const std::string &option, const std::string &text,
                                                   const std::vector<std::string> &components) {
    std::vector<std::vector<double>> numbers(components.size());
    if (text.empty()) return numbers;
    std::string each = text;
    if (text.find('=') == std::string::npos) {
        each.clear();
        for (const std::string &name : components)
            each += (each.empty() ? "" : ",") + name + "=" + text;
    }
    const ComponentWords parts = component_words(option, each, "NUMBER", components);
    for (std::size_t c = 0; c < components.size(); ++c) {
        if (const auto found = parts.find(components[c]); found != parts.end())
            for (const std::string &value : found->second)
                numbers[c].push_back(number_of(option, value));
    }
    return numbers;
}

std::map<std::string, std::int64_t> processor_counts(const std::string &option, const std::string &text,
                                                     const std::vector<std::string> &components,
                                                     const std::string &what) {
    std::map<std::string, std::int64_t> counts;
    for (const auto &[name, list] : processor_lists(option, text, components, what)) {
        if (list.size() != 1) throw std::invalid_argument(option + ": one number for '" + name + "', not several");
        counts[name] = list.front();
    }
    return counts;
}

namespace {

std::string with_counts(const std::string &name, const ScalingCurve &curve, std::int64_t count) {
    const std::vector<ScalingSample> &samples = curve.samples();
    const std::string measured =
        samples.size() == 1 ? fmt::format("{:.0f}", samples.front().processes)
                            : fmt::format("{:.0f} to {:.0f}", samples.front().processes, samples.back().processes);
    return say(Sentence::part_extrapolated, {{"name", safe_name(name)},
                                             {"measured", measured},
                                             {"cores", measured == "1" ? "core" : "cores"},
                                             {"here", std::to_string(count)}});
}

void append(std::string &list, const std::string &word) {
    list += (list.empty() ? "" : ", ") + word;
}

} // namespace

AnswerBasis answer_basis(const std::vector<std::string> &names, const std::vector<ScalingCurve> &curves,
                         const std::vector<std::int64_t> &counts) {
    AnswerBasis basis;
    std::string ideal, beyond, like_others;
    bool serial = false;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        if (curves[c].measured_range_holds(static_cast<double>(counts[c]))) continue;
        const bool like = curves[c].is_like_another() && !curves[c].has_serial_part();
        const bool one = curves[c].samples().size() == 1 && !like;
        append(like ? like_others : one ? ideal : beyond, with_counts(names[c], curves[c], counts[c]));
        if (one) basis.ideal.push_back(names[c]);
        basis.extrapolated.push_back(names[c]);
        serial = serial || curves[c].has_serial_part();
    }
    const auto add = [&](const std::string &sentence) { basis.text += (basis.text.empty() ? "" : " ") + sentence; };
    if (!ideal.empty())
        add(say(Sentence::by_ideal_scaling,
                {{"serial", serial ? ", except for what --serial says" : ""}, {"names", ideal}}));
    if (!beyond.empty()) add(say(Sentence::beyond_measured, {{"names", beyond}}));
    if (!like_others.empty()) add(say(Sentence::as_other_threads, {{"names", like_others}}));
    if (!basis.text.empty()) basis.text += "\n";
    return basis;
}

} // namespace cpl_lb
