// Processor counts as the user gives them, "ocean=96,atmosphere=32", and how far the measurements reach to them.
#pragma once

#include "prediction/scaling_curve.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cpl_lb {

// Throws std::invalid_argument, one line with the option's name, for anything that is not a list of NAME=N with
// positive whole N, for names that are not among `components`, and for names given twice. what: the word for N.
[[nodiscard]] std::map<std::string, std::int64_t> processor_counts(const std::string &option, const std::string &text,
                                                                   const std::vector<std::string> &components,
                                                                   const std::string &what = "PROCESSES");

// By component its words, "atm=64:128" as {"64", "128"}; with the same errors. what: their name in messages.
using ComponentWords = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] ComponentWords component_words(const std::string &option, const std::string &text,
                                             const std::string &what, const std::vector<std::string> &components);

// "8" as "atm=8,ocn=8"; a text that names components stays as it is.
[[nodiscard]] std::string for_all_components(const std::string &text, const std::vector<std::string> &components);

// The place of a name in a list; the list's size if it is not there.
[[nodiscard]] std::size_t place_in(const std::vector<std::string> &names, const std::string &name);

// "--pes: there is no component 'x'; there are atm, ocn". `where`: the option, or the file.
[[nodiscard]] std::string no_such_component(const std::string &where, const std::string &name,
                                            const std::vector<std::string> &components);

// The same for lists: "atm=64:128:192".
[[nodiscard]] std::map<std::string, std::vector<std::int64_t>>
processor_lists(const std::string &option, const std::string &text, const std::vector<std::string> &components,
                const std::string &what = "PROCESSES");

// "8" for all components or "atm=8,ocn=16" for some, as real numbers of at least 0, of which some may be several with
// ":" in between. By component; empty if none is given.
[[nodiscard]] std::vector<std::vector<double>> component_numbers(const std::string &option, const std::string &text,
                                                                 const std::vector<std::string> &components);

// The counts of a curve, or the nodes of so many units: "8", or "0.50 to 64".
[[nodiscard]] std::string measured_counts(const ScalingCurve &curve, std::int64_t units = 1);
// "8", "0.67".
[[nodiscard]] std::string count_or_part(double count);

// Says on which measurements an answer about other processor counts rests: the first line of the answer.
struct AnswerBasis {
    std::vector<std::string> ideal;        // components measured with one count only, and asked for another
    std::vector<std::string> extrapolated; // those and the ones whose count lies outside of the measured ones

    // One line that ends in a newline; empty if all lies between measured counts.
    std::string text;
};

// `counts`: of the answer, by component: cores, or nodes of so many units.
[[nodiscard]] AnswerBasis answer_basis(const std::vector<std::string> &names, const std::vector<ScalingCurve> &curves,
                                       const std::vector<std::int64_t> &counts,
                                       const std::vector<std::int64_t> &units = {});

} // namespace cpl_lb
