// Reads blocks from a csv table.
#include "assertions/quantities.hpp"
#include "io/files/csv_table.hpp"
#include "projection/tools/assert/assert_output.hpp"
#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// "measured_flops" of all calls: flops; empty: another column. What cannot be counted has none.
std::string measured_quantity(const std::string &column) {
    constexpr std::string_view head = "measured_";
    if (column.compare(0, head.size(), head) != 0) return "";
    const std::string quantity = column.substr(head.size());
    return asserted_quantity(quantity) != nullptr ? quantity : "";
}

// Columns that hold figures of the block and no expressions.
bool is_figure(const std::string &column) {
    return column == "region" || column == "component" || column == "calls" || column == "time_s" ||
           !measured_quantity(column).empty();
}

void refuse_other_columns(const CsvTable &table) {
    table.require({"region"});
    for (const std::string &column : table.columns()) {
        const std::string quantity = measured_quantity(column);
        if (!quantity.empty() && !table.has(quantity))
            throw FileError(table.source(), fmt::format("column {} needs {}, the expression", column, quantity));
    }
    for (const std::string &column : table.columns()) {
        if (!is_figure(column) && asserted_quantity(column) == nullptr) {
            throw FileError(
                table.source(),
                fmt::format("no quantity is called '{}'; columns: region, component, calls, time_s, {}, and "
                            "measured_flops, ... of those",
                            column, names_of_asserted_quantities()));
        }
    }
}

void add_names(AssertionModel &model, const Expression &expression) {
    for (const std::string &name : expression.names())
        if (std::ranges::count(model.parameters, name, &ModelParameter::name) == 0)
            model.parameters.push_back({name});
}

ModelBlock block_of(const CsvTable &table, std::size_t row) {
    ModelBlock block;
    block.region = table.text(row, "region");
    if (table.has("component")) block.component = table.text(row, "component");
    if (table.has("calls")) block.calls = table.positive(row, "calls");
    block.measured_s = table.known_or_nan(row, "time_s");
    for (const std::string &column : table.columns()) {
        if (is_figure(column) || table.is_empty(row, column)) continue;
        BlockQuantity &q = block.quantities.emplace_back();
        q.name = column;
        q.why_not_measured = "the table has no measured value";
        if (column == "seconds" && is_known(block.measured_s)) {
            q.measured = block.measured_s;
            q.measured_by = "time_s of the table";
            q.why_not_measured.clear();
        }
        if (const std::string measured = "measured_" + column;
            table.has(measured) && !table.is_empty(row, measured)) {
            q.measured = table.not_negative(row, measured);
            q.measured_by = measured + " of the table";
            q.why_not_measured.clear();
        }
        try {
            q.expression = Expression(table.text(row, column));
        } catch (const ExpressionError &e) {
            throw table.wrong(row, column, fmt::format("'{}': {}", table.text(row, column), e.what()));
        }
    }
    return block;
}

} // namespace

AssertionModel assertion_model_of_table(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    refuse_other_columns(table);
    AssertionModel model;
    model.source = path;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        model.blocks.push_back(block_of(table, row));
        for (const BlockQuantity &q : model.blocks.back().quantities)
            add_names(model, q.expression);
    }
    return model;
}

} // namespace cpl_lb
