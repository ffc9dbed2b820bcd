// Writes the model as the text of an Octave function.
#include "projection/predictors/assertion_model.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace cpl_lb {
namespace {

// Names that mean something in the function or in the languages: a parameter of that name gets a _ behind it.
constexpr std::array<std::string_view, 36> taken = {"break",     "case",        "catch",
                                                    "classdef",  "continue",    "else",
                                                    "elseif",    "end",         "for",
                                                    "function",  "global",      "if",
                                                    "otherwise", "parfor",      "persistent",
                                                    "return",    "spmd",        "switch",
                                                    "try",       "while",       "do",
                                                    "until",     "endif",       "endfor",
                                                    "endwhile",  "endfunction", "unwind_protect",
                                                    "model",     "rem",         "struct",
                                                    "calls",     "nargin",      "isempty",
                                                    "NaN",       "blocks",      "call"};

std::string octave_name(const std::string &name) {
    const bool is_taken = std::ranges::find(taken, name) != taken.end() || name.starts_with("cpl_");
    return is_taken ? name + "_" : name;
}

std::string number(double value) {
    return is_known(value) ? fmt::format("{:.17g}", value) : "NaN";
}

// A text for comments and strings: one line, without quotes that would end them.
std::string quoted(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20) continue;
        safe += c;
        if (c == '\'') safe += c;
    }
    return "'" + safe + "'";
}

std::string_view infix(Operation operation) {
    constexpr std::pair<Operation, std::string_view> signs[] = {{Operation::add, " + "},
                                                                {Operation::subtract, " - "},
                                                                {Operation::multiply, " * "},
                                                                {Operation::divide, " / "},
                                                                {Operation::power, " ^ "}};
    const auto *const found = std::ranges::find(signs, operation, &std::pair<Operation, std::string_view>::first);
    return found == std::end(signs) ? "" : found->second;
}

std::string function_name(Operation operation) {
    if (operation == Operation::remainder) return "rem"; // Octave's mod takes the sign of the second argument
    for (const ExpressionFunction &f : expression_functions())
        if (f.operation == operation) return std::string(f.name);
    return "";
}

// A part of a block's work in Octave: "(vflops)", "(flops - vflops)", "0".
struct Part {
    std::string vector = "0", scalar = "0";
};

class BlockWriter {
public:
    BlockWriter(const AssertionModel &model, const ModelBlock &block, const Machine *machine)
        : block_(block), machine_(machine), work_(sorted_work(model, block)) {}

    [[nodiscard]] std::string text(std::size_t place) {
        at_ = fmt::format("model.blocks({})", place);
        text_ = fmt::format("\n  % {}, region {}\n", comment(block_.component), comment(block_.region));
        line("component", quoted(block_.component));
        line("region", quoted(block_.region));
        line("calls", number(block_.calls));
        for (const BlockQuantity &q : block_.quantities) {
            if (q.name == "calls") continue;
            const bool amount = is_amount(q.name);
            line(q.name, (amount ? at_ + ".calls * " : std::string()) + in_octave(q.expression));
        }
        if (machine_ != nullptr)
            for (const Strategy strategy : all_strategies)
                predict(strategy);
        return text_;
    }

private:
    static bool is_amount(std::string_view name) {
        return name != "avl" && name != "mv" && name != "sl" && name != "tl";
    }
    static std::string comment(std::string text) {
        std::ranges::replace_if(
            text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
        return text;
    }
    void line(std::string_view field, const std::string &value) {
        text_ += fmt::format("  {}.{} = {};\n", at_, field, value);
    }
    [[nodiscard]] std::string field(std::string_view name) const { return fmt::format("{}.{}", at_, name); }

    // As sorted_work() sorts it.
    [[nodiscard]] Part parts(std::string_view whole, std::string_view part) const {
        const bool has_whole = block_.find(whole) != nullptr, has_part = block_.find(part) != nullptr;
        if (!has_whole && !has_part) return {};
        if (!work_.is_vectorised()) return {"0", field(has_whole ? whole : part)};
        if (!has_part) return {field(whole), "0"};
        return {field(part), has_whole ? fmt::format("({} - {})", field(whole), field(part)) : "0"};
    }
    [[nodiscard]] Part numbers() const {
        const auto loads_and_stores = {"loads", "stores", "vloads", "vstores"};
        if (std::ranges::any_of(loads_and_stores, [&](const char *name) { return block_.find(name) != nullptr; })) {
            const Part loads = parts("loads", "vloads"), stores = parts("stores", "vstores");
            return {fmt::format("({} + {})", loads.vector, stores.vector),
                    fmt::format("({} + {})", loads.scalar, stores.scalar)};
        }
        const std::string bytes = field("bytes") + " / 8";
        return work_.is_vectorised() ? Part{bytes, "0"} : Part{"0", bytes};
    }

    void predict(Strategy strategy) {
        const TimePrediction p = predict_time(work_, *machine_, strategy);
        if (!p.why.empty()) {
            line(name_of(strategy), "NaN");
            text_.pop_back();
            text_ += fmt::format(" % n/a: {}\n", comment(p.why));
            return;
        }
        const LocalityBandwidth &row = *locality_of(*machine_, work_.mv);
        const Part flops = parts("flops", "vflops"), moved = numbers();
        std::string sum;
        const auto add = [&](const std::string &amount, const std::string &rate) {
            if (amount != "0" && amount != "(0 + 0)") sum += (sum.empty() ? "" : " + ") + amount + " / " + rate;
        };
        const std::string bandwidth = number(p.bandwidth_B_per_s);
        std::string slowed = bandwidth;
        if (strategy == Strategy::pred && is_known(work_.avl.value) && work_.is_vectorised())
            slowed = fmt::format("({} * min({}, {}) / {})", bandwidth, field("avl"), number(machine_->vector_length),
                                 number(machine_->vector_length));
        add(flops.vector, number(row.vector_flop_per_s));
        add(moved.vector == "0" || moved.vector == "(0 + 0)" ? "0" : "8 * " + moved.vector, slowed);
        add(flops.scalar, number(row.scalar_flop_per_s));
        add(moved.scalar == "0" || moved.scalar == "(0 + 0)" ? "0" : "8 * " + moved.scalar, bandwidth);
        line(name_of(strategy), sum.empty() ? "0" : sum);
    }

    const ModelBlock &block_;
    const Machine *machine_;
    SortedWork work_;
    std::string at_, text_;
};

std::string head_of(const AssertionModel &model, const Machine *machine, const std::string &name) {
    std::vector<std::string> arguments;
    for (const ModelParameter &p : model.parameters)
        arguments.push_back(octave_name(p.name));
    std::string text = fmt::format("function model = {}({})\n", name, joined(arguments, ", "));
    text += fmt::format("% {}  The work of annotated regions in their input parameters, by cpl-lb machine assert.\n",
                        name);
    text += "% Amounts are of all calls of one process. A parameter that is left out or [] has the run's value.\n";
    text += "% mv, sl and tl choose the rates as they were at these values: export again when they change.\n";
    if (machine != nullptr)
        text += fmt::format("% pred ... pred_hb: seconds on {} (Modeling Assertions, section 4.2).\n", machine->name);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        text += fmt::format("  if nargin < {0} || isempty({1}), {1} = {2}; end\n", i + 1, arguments[i],
                            number(model.parameters[i].value));
    return text;
}

} // namespace

std::string in_octave(const Expression &expression) {
    std::vector<std::string> texts;
    for (const ExpressionNode &node : expression.nodes()) {
        if (node.operation == Operation::number) {
            texts.push_back(number(node.number));
        } else if (node.operation == Operation::name) {
            texts.push_back(octave_name(expression.names()[node.first]));
        } else if (node.operation == Operation::negate) {
            texts.push_back(fmt::format("(-{})", texts[node.first]));
        } else if (const std::string_view sign = infix(node.operation); !sign.empty()) {
            texts.push_back(fmt::format("({}{}{})", texts[node.first], sign, texts[node.second]));
        } else if (node.operation < Operation::absolute) { // min, max, mod
            texts.push_back(
                fmt::format("{}({}, {})", function_name(node.operation), texts[node.first], texts[node.second]));
        } else {
            texts.push_back(fmt::format("{}({})", function_name(node.operation), texts[node.first]));
        }
    }
    return texts.empty() ? "NaN" : texts.back();
}

std::string octave_function(const AssertionModel &model, const Machine *machine, const std::string &name) {
    if (!is_parameter_name(name) || octave_name(name) != name)
        throw AssertionModelError(fmt::format(
            "'{}' cannot be the name of a function: letters, digits and _, and no word of the language", name));
    std::string text = head_of(model, machine, name);
    std::size_t place = 0;
    for (const ModelBlock &block : model.blocks)
        text += BlockWriter(model, block, machine).text(++place);
    if (machine != nullptr && place > 0) {
        text += "\n";
        for (const Strategy strategy : all_strategies)
            text += fmt::format("  model.{0} = sum([model.blocks.{0}]);\n", name_of(strategy));
    }
    return text + "end\n";
}

} // namespace cpl_lb
