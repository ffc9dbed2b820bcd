// Reads rules, finds the figures that they name, and compares.
#include "tools/check/check_rules.hpp"

#include "analysis/waiting_share.hpp"
#include "io/toml/toml_table.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

namespace cpl_lb {
namespace {

constexpr double MiB = 1024.0 * 1024.0;
constexpr const char *late_sender_rule = "late_sender_percent";

template <class Of>
struct Figure {
    std::string_view name;
    double (*value)(const Of &);
};

constexpr std::array<Figure<CoupledRun>, 11> of_run = {{
    {"sypd", [](const CoupledRun &r) { return r.cpmip.sypd; }},
    {"asypd", [](const CoupledRun &r) { return r.cpmip.asypd; }},
    {"chsy", [](const CoupledRun &r) { return r.cpmip.chsy; }},
    {"jpsy", [](const CoupledRun &r) { return r.cpmip.jpsy; }},
    {"wall_s", [](const CoupledRun &r) { return r.run.wall_s; }},
    {"energy_J", [](const CoupledRun &r) { return r.meters.energy_J; }},
    {"waiting_percent", [](const CoupledRun &r) { return 100 * r.balance.waiting_share; }},
    {"coupling_cost_percent", [](const CoupledRun &r) { return 100 * r.cpmip.coupling_cost; }},
    {"data_output_cost_percent", [](const CoupledRun &r) { return 100 * r.cpmip.data_output_cost; }},
    {"efficiency_percent", [](const CoupledRun &r) { return 100 * efficiency_of(r).total; }},
    {"memory_MiB_per_process", [](const CoupledRun &r) { return r.meters.hwm_B.max / MiB; }},
}};

double of_loop(const Component &c, double seconds) {
    return has_loop(c) ? 100 * seconds / c.balance.loop_s : unknown;
}
double of_step(const Component &c, double seconds) {
    return has_loop(c) && c.balance.step_count > 0 ? seconds / static_cast<double>(c.balance.step_count) : unknown;
}

constexpr std::array<Figure<Component>, 13> of_component = {{
    {"waiting_percent", [](const Component &c) { return of_loop(c, c.balance.waiting_s); }},
    {"imbalance_percent", [](const Component &c) { return of_loop(c, c.balance.imbalance_s); }},
    {"imbalance_processes_percent",
     [](const Component &c) { return of_loop(c, c.balance.imbalance_parts.processes_s); }},
    {"imbalance_nodes_percent", [](const Component &c) { return of_loop(c, c.balance.imbalance_parts.nodes_s); }},
    {"imbalance_random_percent", [](const Component &c) { return of_loop(c, c.balance.imbalance_parts.random_s); }},
    {"step_s", [](const Component &c) { return of_step(c, c.balance.loop_s); }},
    {"computing_s_per_step", [](const Component &c) { return of_step(c, c.balance.computing_s); }},
    {"waiting_s_per_step", [](const Component &c) { return of_step(c, c.balance.waiting_s); }},
    {"inside_messages_per_step", [](const Component &c) { return traffic_of_step(c).messages; }},
    {"inside_MiB_per_step", [](const Component &c) { return traffic_of_step(c).bytes / MiB; }},
    {late_sender_rule, [](const Component &c) { return 100 * late_sender_share(c); }},
    {"efficiency_percent", [](const Component &c) { return 100 * efficiency_of(c).total; }},
    {"memory_MiB_per_process", [](const Component &c) { return c.meters.hwm_B.max / MiB; }},
}};

template <class Figures>
auto find_figure(const Figures &figures, const std::string &name) {
    return std::ranges::find(figures, name, [](const auto &figure) { return figure.name; });
}

template <class Figures>
std::string names_of(const Figures &figures) {
    std::vector<std::string> names;
    names.reserve(figures.size());
    for (const auto &figure : figures)
        names.emplace_back(figure.name);
    return joined(names, ", ");
}

auto component_named(const CoupledRun &run, const std::string &name) {
    return std::ranges::find(run.components, name, &Component::name);
}

using Entries = std::map<std::string, TomlNode>;

// The name is a view, because g++ 14 believes that the returned reference may lie in a string made for the call.
const Entries &entries_of(const TomlNode &node, const std::string &path, std::string_view name) {
    const auto *const table = std::get_if<Entries>(&node.value);
    if (table == nullptr) throw TomlError(path, node.line, std::string(name), "a table belongs here");
    return *table;
}

bool yes(TomlTable &table) {
    const TomlNode *const node = table.find("may_be_unknown");
    if (node == nullptr) return false;
    const bool *const value = std::get_if<bool>(&node->value);
    if (value == nullptr) table.fail(node->line, "may_be_unknown", "true or false belongs here");
    return *value;
}

// The entries of one table, which are figures with their bounds.
template <class Figures>
void add_rules(std::vector<Rule> &rules, const Figures &figures, const TomlNode &node, const std::string &path,
               const std::string &name, const std::string &component) {
    constexpr TomlBounds any = {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (const auto &[figure, bounds] : entries_of(node, path, name)) {
        const std::string full = name + "." + figure;
        if (find_figure(figures, figure) == figures.end())
            throw TomlError(path, bounds.line, full, "is no figure: there are " + names_of(figures));
        TomlTable table(path, bounds, full);
        Rule rule{component,  figure,     table.number("at_least", any), table.number("at_most", any),
                  yes(table), bounds.line};
        table.nothing_else();
        if (!is_known(rule.at_least) && !is_known(rule.at_most))
            throw TomlError(path, bounds.line, full, "at_least or at_most is missing");
        if (rule.at_least > rule.at_most) {
            throw TomlError(
                path, bounds.line, full,
                fmt::format("at_least {} and at_most {} exclude each other", rule.at_least, rule.at_most));
        }
        rules.push_back(std::move(rule));
    }
}

} // namespace

bool CheckedRule::kept() const {
    if (!is_known(value)) return rule.may_be_unknown;
    return !(value < rule.at_least) && !(value > rule.at_most);
}

std::vector<Rule> read_rules(const std::string &text, const std::string &path, const CoupledRun &run) {
    const TomlNode root = parse_toml(text, path);
    std::vector<Rule> rules;
    for (const auto &[name, node] : entries_of(root, path, "")) {
        if (name == "run") {
            add_rules(rules, of_run, node, path, name, "");
        } else if (name == "each_component") {
            for (const Component &c : run.components) // an I/O server is made to wait: rules for it bear its name
                if (!c.balance.is_io_server) add_rules(rules, of_component, node, path, name, c.name);
        } else if (name == "component") {
            for (const auto &[component, inner] : entries_of(node, path, name)) {
                if (component_named(run, component) == run.components.end())
                    throw TomlError(path, inner.line, name + "." + component, "is no component of the run");
                add_rules(rules, of_component, inner, path, name + "." + component, component);
            }
        } else {
            throw TomlError(path, node.line, name,
                            "is no table of rules: there are run, each_component and component");
        }
    }
    if (rules.empty()) throw TomlError(path, 1, "", "holds no rule");
    return rules;
}

std::vector<CheckedRule> check(const CoupledRun &run, const std::vector<Rule> &rules) {
    std::vector<CheckedRule> checked;
    checked.reserve(rules.size());
    for (const Rule &rule : rules) {
        CheckedRule one{rule};
        if (rule.component.empty()) {
            one.value = find_figure(of_run, rule.figure)->value(run);
        } else {
            const auto c = component_named(run, rule.component);
            one.value = find_figure(of_component, rule.figure)->value(*c);
            const WaitedFor *const late = rule.figure == late_sender_rule ? late_sender(*c) : nullptr;
            if (late != nullptr) one.process = late->process;
        }
        checked.push_back(std::move(one));
    }
    return checked;
}

std::string in_words(const CheckedRule &checked) {
    const Rule &r = checked.rule;
    const std::string what = (r.component.empty() ? "the run" : safe_name(r.component)) + "'s " + r.figure;
    std::string allowed;
    if (is_known(r.at_least)) allowed = fmt::format("at least {:g}", r.at_least);
    if (is_known(r.at_most)) allowed += fmt::format("{}at most {:g}", allowed.empty() ? "" : ", ", r.at_most);
    std::string value = is_known(checked.value) ? fmt::format("{:.4g}", checked.value) : "not known";
    if (checked.process >= 0) value += say(Sentence::part_rule_process, {{"process", count_text(checked.process)}});
    return say(Sentence::rule, {{"figure", what}, {"value", value}, {"allowed", allowed}});
}

} // namespace cpl_lb
