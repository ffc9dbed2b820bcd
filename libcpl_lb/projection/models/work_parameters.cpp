// Reads parameters, and evaluates cells that are written in them.
#include "projection/models/work_parameters.hpp"

#include "assertions/expression.hpp"
#include "support/fmt.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace cpl_lb {
namespace {

bool number_in(std::string_view text, double &value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

} // namespace

WorkParameters WorkParameters::of_case(const std::string &path, const std::string &name) {
    const CsvTable table = CsvTable::from_file(path);
    table.require({"case"});
    std::string names;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        names += (names.empty() ? "" : ", ") + table.text(row, "case");
        if (table.text(row, "case") != name) continue;
        WorkParameters parameters;
        for (const std::string &column : table.columns())
            if (column != "case" && !table.is_empty(row, column))
                parameters.values_[column] = table.number(row, column);
        return parameters;
    }
    throw FileError(path, fmt::format("no case '{}'; there are: {}", name, names));
}

void WorkParameters::set(std::string_view setting) {
    const std::size_t sign = setting.find('=');
    const std::string name(setting.substr(0, sign));
    if (sign == std::string_view::npos || !is_parameter_name(name))
        throw std::invalid_argument(fmt::format("{}: write NAME=NUMBER", setting));
    double value = 0;
    if (!number_in(setting.substr(sign + 1), value))
        throw std::invalid_argument(fmt::format("{}: '{}' is not a number", setting, setting.substr(sign + 1)));
    values_[name] = value;
}

double WorkParameters::value(const std::string &name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? unknown : found->second;
}

double work_in(const CsvTable &table, std::size_t row, std::string_view column, const WorkParameters &parameters) {
    if (!table.has(column) || table.is_empty(row, column)) return unknown;
    const std::string &text = table.text(row, column);
    double value = 0;
    if (text == "n/a" || number_in(text, value)) return table.known_or_nan(row, column);
    try {
        const Expression expression(text);
        std::vector<double> values;
        for (const std::string &name : expression.names()) {
            values.push_back(parameters.value(name));
            if (!is_known(values.back())) {
                throw table.wrong(
                    row, column,
                    fmt::format("parameter '{0}' has no value: --set {0}=NUMBER, or --parameters", name));
            }
        }
        const Expression::Result result = expression.evaluate(values);
        if (!result.why.empty()) throw table.wrong(row, column, fmt::format("'{}': {}", text, result.why));
        if (!(result.slope.value >= 0))
            throw table.wrong(row, column,
                              fmt::format("'{}' is {:g}: must not be negative", text, result.slope.value));
        return result.slope.value;
    } catch (const ExpressionError &error) {
        throw table.wrong(row, column, fmt::format("'{}': {}", text, error.what()));
    }
}

} // namespace cpl_lb
