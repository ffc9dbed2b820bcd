// The table of forms, made from rows.inc, and code that several forms share.
#include "tools/launch/launch_form.hpp"

#include "report/format.hpp"
#include "support/fmt.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace cpl_lb {

const std::vector<LaunchForm> &launch_forms() {
    static const std::vector<LaunchForm> forms = {
#define FORM(name, by_default, what) {#name, by_default, what, &name##_lines},
#include "tools/launch/rows.inc"
#undef FORM
    };
    return forms;
}

std::string program_of(const LaunchPart &part) {
    return (part.recorded ? "cpl-lb-record ./" : "./") + safe_name(part.name);
}

bool fills_nodes(const LaunchPlan &plan) {
    return plan.node_cores == 1 || std::ranges::all_of(plan.parts, [&](const LaunchPart &part) {
               return part.cores() % plan.node_cores == 0;
           });
}

std::string in_turn_lines(const LaunchPlan &plan) {
    const std::int64_t threads = plan.parts.empty() ? 1 : plan.parts.front().threads;
    if (!plan.other_threads && threads > 1) {
        return fmt::format(
            "To start it: give each executable as many processes of {} threads as its largest component has; "
            "its components run in turn on these cores.\n",
            threads);
    }
    if (!plan.other_threads)
        return "To start it: give each executable as many processes as its largest component has cores; its "
               "components run in turn on these cores.\n";
    std::vector<std::string> each;
    for (const LaunchPart &part : plan.parts)
        each.push_back(fmt::format("./{} {} x {}", safe_name(part.name), part.processes, part.threads));
    return "To start it: the components of an executable run in turn on its cores; processes x threads: " +
           joined(each, ", ") + ".\n";
}

namespace {

std::string in_capitals(std::string word) {
    for (char &letter : word)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return word;
}

std::string listed_names(const LaunchPlan &plan) {
    std::vector<std::string> names;
    for (const LaunchPart &part : plan.parts)
        names.push_back(safe_name(part.name));
    return joined(names, ", ");
}

} // namespace

std::vector<std::string> form_names(const LaunchPlan &plan, const FormNames &form) {
    const auto is_known = [&](const std::string &name) { return place_in(form.known, name) < form.known.size(); };
    std::vector<std::string> names;
    for (const LaunchPart &part : plan.parts) {
        const bool is_given = !part.form_name.empty();
        std::string name = in_capitals(is_given ? part.form_name : part.name);
        for (const auto &[other, own] : form.also)
            if (name == other) name = own;
        if (is_given && form.only_these && !is_known(name)) {
            throw std::invalid_argument(fmt::format("--form-name: {} has no name '{}'; its names are {}", form.form,
                                                    part.form_name, joined(form.known, ", ")));
        }
        if (!is_given && !is_known(name)) name.clear();
        if (const std::size_t same = place_in(names, name); !name.empty() && same < names.size()) {
            throw std::invalid_argument(
                fmt::format("--launch {}: '{}' and '{}' are both {}; say which with --form-name", form.form,
                            plan.parts[same].name, part.name, name));
        }
        names.push_back(std::move(name));
    }
    if (std::ranges::all_of(names, [](const std::string &name) { return name.empty(); })) {
        throw std::invalid_argument(
            fmt::format("--launch {}: none of the components ({}) has one of its names ({}); give "
                        "them: --form-name {}={}",
                        form.form, listed_names(plan), joined(form.known, ", "), safe_name(plan.parts.front().name),
                        form.known.front()));
    }
    return names;
}

std::string without_name(const LaunchPlan &plan, const std::vector<std::string> &names, const std::string &comment) {
    std::vector<std::string> without;
    for (std::size_t p = 0; p < names.size(); ++p) {
        if (!names[p].empty()) continue;
        const LaunchPart &part = plan.parts[p];
        without.push_back(fmt::format("{} ({} x {})", safe_name(part.name), part.processes, part.threads));
    }
    if (without.empty()) return "";
    return fmt::format("{} Without a name here, and so in no line (processes x threads): {}.\n", comment,
                       joined(without, ", "));
}

} // namespace cpl_lb
