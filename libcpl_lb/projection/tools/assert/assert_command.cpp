// cpl-lb machine assert: what the model's author says of its regions (in a run, or in a table of blocks) against what
// was measured, and the model of it. cpl-lb machine vectors: what a compiler's report says of source lines.
#include "projection/tools/assert/assert_output.hpp"

#include "assertions/quantities.hpp"
#include "io/files/csv_table.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/json/json_tree.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/models/model_tables.hpp"
#include "projection/predictors/assertion_model.hpp"
#include "projection/predictors/vector_report.hpp"
#include "projection/tools/projection_commands.hpp"
#include "report/format.hpp"
#include "run/loaded/load_run.hpp"
#include "support/fmt.hpp"
#include "tools/command_line.hpp"
#include "tools/commands.hpp"

#include <filesystem>
#include <memory>
#include <unordered_set>
#include <vector>

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

void add_names(AssertionModel &model, const Expression &expression, std::unordered_set<std::string> &known) {
    for (const std::string &name : expression.names())
        if (known.insert(name).second) model.parameters.push_back({name});
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

struct AssertOptions {
    std::string source, machine;
    std::vector<std::string> set;
    double tolerance_percent = 10;
    bool json = false;
};

struct VectorOptions {
    std::string report, lines;
    bool threaded = false, json = false;
};

AssertOutput read_source(const std::string &source) {
    AssertOutput output;
    if (std::filesystem::is_regular_file(source)) {
        output.model = assertion_model_of_table(source);
        return output;
    }
    const CoupledRun run = load_figures(source, {}, progress_of);
    output.model = assertion_model_of(run, source);
    if (output.model.blocks.empty())
        throw FileError(source, "no region of this run has expressions: cpl_lb_assert_expression gives them");
    return output;
}

void set_parameters(AssertionModel &model, const std::vector<std::string> &settings) {
    WorkParameters given;
    for (const std::string &setting : settings)
        given.set(setting);
    for (const auto &[name, value] : given.all())
        model.set(name, value);
    for (const ModelParameter &p : model.parameters) {
        if (!is_known(p.value))
            throw AssertionModelError(
                fmt::format("{}: parameter '{}' has no value: give --set {}=NUMBER", model.source, p.name, p.name));
    }
}

void run_assert(const AssertOptions &o) {
    AssertOutput output = read_source(o.source);
    set_parameters(output.model, o.set);
    output.tolerance = o.tolerance_percent / 100;
    if (!o.machine.empty()) {
        output.machine = load_machine(o.machine);
        output.locality_from = derive_locality(*output.machine);
    }
    print(o.json ? assert_as_json(output) : assert_as_text(output));
}

// FIRST-LAST, FILE:FIRST-LAST, or one line instead of two.
struct SourceLines {
    std::string file;
    int first = 0, last = 0;
};
SourceLines source_lines(const std::string &text) {
    SourceLines lines;
    const std::size_t colon = text.rfind(':');
    std::string_view range = text;
    if (colon != std::string::npos) {
        lines.file = text.substr(0, colon);
        range.remove_prefix(colon + 1);
    }
    const std::size_t dash = range.find('-');
    const auto number = [&](std::string_view digits) {
        int value = 0;
        if (!read_number(digits, value) || value < 1)
            throw cli::WrongUsage(fmt::format("--lines {}: write FIRST-LAST or FILE:FIRST-LAST", text));
        return value;
    };
    lines.first = number(range.substr(0, dash));
    lines.last = dash == std::string_view::npos ? lines.first : number(range.substr(dash + 1));
    if (lines.last < lines.first) throw cli::WrongUsage(fmt::format("--lines {}: last before first", text));
    return lines;
}

void print_score(const MvScore &score, bool json) {
    JsonTree answer = {{"mv", score.mv}, {"mixed", score.is_mixed()}, {"loops", nullptr}};
    TextTable table({1, 2, 3});
    table.row({"Line", "vectorised", "threads", "the compiler says"});
    for (const ReportedLoop &loop : score.loops) {
        table.row({fmt::format("{}", loop.line), loop.vectorised ? "yes" : "no", loop.threaded ? "yes" : "no",
                   short_name(loop.words, 70)});
        answer["loops"].push_back({{"file", loop.file},
                                   {"line", loop.line},
                                   {"vectorised", loop.vectorised},
                                   {"threaded", loop.threaded},
                                   {"says", loop.words}});
    }
    if (json) return print(answer.dump(2) + "\n");
    std::string text = fmt::format("MV score {}: {}threads, {}vectorised\n{}", score.mv,
                                   score.mv[0] == '1' ? "" : "no ", score.mv[1] == '1' ? "" : "not ", table.text());
    if (score.is_mixed())
        text += "Some loops are not vectorised: annotate them separately, unless they are the outer loops of the "
                "others.\n";
    print(text);
}

void run_vectors(const VectorOptions &o) {
    const SourceLines lines = source_lines(o.lines);
    try {
        const MvScore score =
            mv_score(reported_loops(read_text_file(o.report)), lines.file, lines.first, lines.last, o.threaded);
        if (score.mv.empty())
            throw std::runtime_error(
                fmt::format("says nothing of a loop in lines {} to {}", lines.first, lines.last));
        print_score(score, o.json);
    } catch (const FileError &) {
        throw;
    } catch (const std::runtime_error &e) {
        throw FileError(o.report, e.what());
    }
}

} // namespace

AssertionModel assertion_model_of_table(const std::string &path) {
    const CsvTable table = CsvTable::from_file(path);
    refuse_other_columns(table);
    AssertionModel model;
    model.source = path;
    std::unordered_set<std::string> known;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        model.blocks.push_back(block_of(table, row));
        for (const BlockQuantity &q : model.blocks.back().quantities)
            add_names(model, q.expression, known);
    }
    return model;
}

void add_assert_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand(
        "assert", "Compares the expected work of regions with the measured\nExpected by the code's authors. With "
                  "--machine it also predicts the run time. The exit status is 0 even if an expression is outside "
                  "the tolerance; --json says which ones are.");
    const auto o = std::make_shared<AssertOptions>();
    command
        ->add_option(
            "WHERE", o->source,
            "folder of a run with annotated regions; or a CSV table of blocks with the columns region, flops, "
            "loads, ... (expressions) and time_s, measured_flops, ... (sums over all calls)")
        ->required();
    command->add_option("--tolerance", o->tolerance_percent, "largest error that passes [%]; default: 10")
        ->check(cli::not_negative());
    add_set_option(*command, o->set, "another value of a parameter: nx=500; may be given again");
    command->add_option(
        "--machine", o->machine,
        "predict the time on this machine: a machine file, or the name of a known machine (cray_x1e)");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_assert(*o); });
}

void add_vectors_word(cli::App &machine) {
    cli::App *command = machine.add_subcommand(
        "vectors", "Says whether a compiler vectorised source lines: their MV score\nFrom its report: gcc "
                   "-fopt-info-loop-vec-all, clang -Rpass=loop-vectorize, Intel -qopt-report.");
    const auto o = std::make_shared<VectorOptions>();
    command->add_option("REPORT", o->report, "the compiler's report")->required();
    command->add_option("--lines", o->lines, "which lines: FIRST-LAST or FILE:FIRST-LAST")->required();
    command->add_flag("--threaded", o->threaded,
                      "the lines run in a parallel region of OpenMP (the report does not say this)");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_vectors(*o); });
}

} // namespace cpl_lb
