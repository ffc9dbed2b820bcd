// Reads lists such as "ocean=96,atmosphere=32", checks their names, and compares counts with measured ones.
#include "tools/processor_counts.hpp"

#include "report/format.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/command_line.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::int64_t most_processes = 1'000'000'000;

// what: of which, in words.
std::int64_t count_of(const std::string &option, const std::string &text, const std::string &what) {
    const auto n = cli::number_in<std::int64_t>(text);
    if (!n || *n < 1 || *n > most_processes)
        throw std::invalid_argument(option + ": not a number of " + what + ": '" + text + "'");
    return *n;
}

double number_of(const std::string &option, const std::string &text) {
    const auto x = cli::number_in<double>(text);
    if (!x || !(*x >= 0) || !std::isfinite(*x))
        throw std::invalid_argument(option + ": not a number of 0 or more: '" + text + "'");
    return *x;
}

} // namespace

std::string for_all_components(const std::string &text, const std::vector<std::string> &components) {
    if (text.find('=') != std::string::npos) return text;
    std::vector<std::string> words;
    words.reserve(components.size());
    for (const std::string &name : components)
        words.push_back(name + "=" + text);
    return joined(words, ",");
}

std::size_t place_in(const std::vector<std::string> &names, const std::string &name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
}

std::string no_such_component(const std::string &where, const std::string &name,
                              const std::vector<std::string> &components) {
    return where + ": there is no component '" + name + "'; there are " + joined(components, ", ");
}

ComponentWords component_words(const std::string &option, const std::string &text, const std::string &what,
                               const std::vector<std::string> &components) {
    ComponentWords result;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t sign = part.rfind('=');
        if (sign == std::string::npos || sign == 0)
            throw std::invalid_argument(option + ": not COMPONENT=" + what + ": '" + part + "'");
        const std::string name = part.substr(0, sign);
        if (place_in(components, name) == components.size())
            throw std::invalid_argument(no_such_component(option, name, components));
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
    const ComponentWords parts = component_words(option, for_all_components(text, components), "NUMBER", components);
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

std::string count_or_part(double count) {
    if (std::abs(count - std::round(count)) < 1e-6) return decimal_text(count, 0);
    return count < 0.1 ? fmt::format("{:.2g}", count) : decimal_text(count, 2);
}

std::string measured_counts(const ScalingCurve &curve, std::int64_t units) {
    const auto in_words = [&](const ScalingSample &s) {
        return count_or_part(s.processes / static_cast<double>(units));
    };
    const std::string least = in_words(curve.samples().front());
    return curve.samples().size() == 1 ? least : least + " to " + in_words(curve.samples().back());
}

AnswerBasis answer_basis(const std::vector<std::string> &names, const std::vector<ScalingCurve> &curves,
                         const std::vector<std::int64_t> &counts, const std::vector<std::int64_t> &units) {
    AnswerBasis basis;
    std::vector<std::string> ideal, beyond, like_others, sentences;
    bool serial = false;
    for (std::size_t c = 0; c < curves.size(); ++c) {
        const std::int64_t each = units.empty() ? 1 : units[c];
        if (curves[c].measured_range_holds(static_cast<double>(counts[c] * each))) continue;
        const bool like = curves[c].is_like_another() && !curves[c].has_serial_part();
        const bool one = curves[c].samples().size() == 1 && !like;
        const std::string measured = measured_counts(curves[c], each);
        (like  ? like_others
         : one ? ideal
               : beyond)
            .push_back(say(Sentence::part_extrapolated,
                           {{"name", safe_name(names[c])},
                            {"measured", measured},
                            {"cores", std::string(units.empty() ? "core" : "node") + (measured == "1" ? "" : "s")},
                            {"here", std::to_string(counts[c])}}));
        if (one) basis.ideal.push_back(names[c]);
        basis.extrapolated.push_back(names[c]);
        serial = serial || curves[c].has_serial_part();
    }
    if (!ideal.empty()) {
        sentences.push_back(
            say(Sentence::by_ideal_scaling,
                {{"serial", serial ? ", except for what --curves says" : ""}, {"names", joined(ideal, ", ")}}));
    }
    if (!beyond.empty()) sentences.push_back(say(Sentence::beyond_measured, {{"names", joined(beyond, ", ")}}));
    if (!like_others.empty())
        sentences.push_back(say(Sentence::as_other_threads, {{"names", joined(like_others, ", ")}}));
    if (!sentences.empty()) basis.text = joined(sentences, " ") + "\n";
    return basis;
}

} // namespace cpl_lb
