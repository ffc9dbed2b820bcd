// Reads the options of launch forms, and puts the text of the forms together.
#include "tools/launch/launch_options.hpp"

#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"
#include "tools/launch/launch_form.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace cpl_lb {
namespace {

std::vector<std::string> names_of_forms() {
    std::vector<std::string> names;
    for (const LaunchForm &form : launch_forms())
        names.emplace_back(form.name);
    return names;
}

std::string forms_in_words() {
    std::vector<std::string> words;
    for (const LaunchForm &form : launch_forms())
        words.push_back(std::string(form.name) + " (" + form.what + ")");
    return joined(words, ", ");
}

// "ocean=OCN": the component, and the text after the sign.
std::pair<LaunchPart *, std::string> part_and_value(const std::string &option, const std::string &word,
                                                    const std::string &what, LaunchPlan &plan) {
    const std::size_t sign = word.rfind('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == word.size())
        throw std::invalid_argument(option + ": not COMPONENT=" + what + ": '" + word + "'");
    const std::string name = word.substr(0, sign);
    const auto part = std::ranges::find(plan.parts, name, &LaunchPart::name);
    if (part == plan.parts.end()) throw std::invalid_argument(no_such_component(option, name, plan.names()));
    return {&*part, word.substr(sign + 1)};
}

// A name becomes part of a variable's name in a file of the user's.
void check_form_name(const std::string &name) {
    const auto is_good = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (name.size() > 20 || !std::ranges::all_of(name, is_good))
        throw std::invalid_argument("--form-name: not a name of at most 20 letters, digits and _: '" + name + "'");
}

// 0: not a number of tiles.
std::int64_t tiles_in(const std::string &word) {
    constexpr std::int64_t most = 1'000'000;
    const std::int64_t tiles = cli::number_in<std::int64_t>(word).value_or(0);
    return tiles >= 1 && tiles <= most ? tiles : 0;
}

void enter_tiles(LaunchPart &part, const std::string &text) {
    const std::size_t by = text.find('x');
    const std::int64_t i = tiles_in(text.substr(0, by));
    const std::int64_t j = by == std::string::npos ? 0 : tiles_in(text.substr(by + 1));
    if (i == 0 || j == 0)
        throw std::invalid_argument("--tiles: not COMPONENT=IxJ, such as ocean=8x12: '" + part.name + "=" + text +
                                    "'");
    if (i * j != part.processes) {
        throw std::invalid_argument(
            fmt::format("--tiles: {} has {} processes, and {} x {} are {}", part.name, part.processes, i, j, i * j));
    }
    part.tiles_i = i;
    part.tiles_j = j;
}

void enter_names(const LaunchOptions &options, LaunchPlan &plan) {
    for (const std::string &word : options.form_names) {
        const auto [part, name] = part_and_value("--form-name", word, "NAME", plan);
        check_form_name(name);
        part->form_name = name;
    }
    for (const std::string &word : options.tiles) {
        const auto [part, tiles] = part_and_value("--tiles", word, "IxJ", plan);
        enter_tiles(*part, tiles);
    }
}

bool is_wanted(const LaunchForm &form, const std::vector<std::string> &asked) {
    return asked.empty() ? form.by_default : std::ranges::find(asked, form.name) != asked.end();
}

// mpirun and srun print the same words if components run in turn.
void add_once(std::string &text, const std::string &lines) {
    if (text.find(lines) == std::string::npos) text += lines;
}

LaunchText forms_text(const LaunchOptions &options, const LaunchPlan &plan) {
    LaunchText all;
    for (const LaunchForm &form : launch_forms()) {
        if (!is_wanted(form, options.forms)) continue;
        const LaunchLines lines = form.lines(plan);
        all.by_form.emplace_back(form.name, lines.text);
        add_once(all.text, lines.text);
        if (lines.text.empty() && !options.forms.empty())
            all.text += fmt::format("# No lines for {}: {}.\n", form.name, lines.why_not);
    }
    return all;
}

} // namespace

void add_launch_options(cli::App &command, LaunchOptions &options) {
    command
        .add_option("--launch", options.forms,
                    "forms in which the counts are printed: " + forms_in_words() + "; default: mpirun,srun")
        ->delimiter(',')
        ->check(cli::one_of(names_of_forms()));
    command.add_option("--template", options.pattern,
                       "a file of your own in which {ocean}, {ocean.threads}, {ocean.cores}, {ocean.nodes}, "
                       "{ocean.first}, {ocean.last}, {ocean.tiles_i}, {ocean.tiles_j}, {total}, {cores}, {nodes} are "
                       "filled in; {{ and }} are braces");
    command.add_option("-o,--output", options.output, "file for the lines of --launch, or for the filled template");
    command
        .add_option("--form-name", options.form_names,
                    "what cime, ufs or coawst call a component: atmosphere=ATM,ocean=OCN")
        ->delimiter(',');
    command
        .add_option("--tiles", options.tiles,
                    "with coawst or a template: the split of a component's processes: ocean=8x12")
        ->delimiter(',');
}

void check(const LaunchOptions &options) {
    if (!options.pattern.empty() && !options.forms.empty())
        throw std::invalid_argument(
            "--template is a form of its own: call the command once for it, and once for --launch");
    if (!options.output.empty() && !options.asked())
        throw std::invalid_argument("-o is for the lines of --launch or --template: give one of them");
    std::error_code error;
    if (!options.pattern.empty() && !options.output.empty() &&
        std::filesystem::equivalent(options.pattern, options.output, error))
        throw std::invalid_argument("-o and --template are one file, which would be lost: give -o another name");
}

bool is_template_alone(const LaunchOptions &options) {
    return !options.pattern.empty() && options.output.empty();
}

JsonTree launch_json(const LaunchText &launch) {
    JsonTree all = JsonTree::object();
    for (const auto &[form, lines] : launch.by_form)
        all[form] = lines.empty() ? JsonTree() : JsonTree(lines);
    return all;
}

LaunchText launch_text(const LaunchOptions &options, LaunchPlan plan) {
    enter_names(options, plan);
    LaunchText result;
    if (options.pattern.empty()) {
        result = forms_text(options, plan);
    } else {
        result.text = filled_template(read_text_file(options.pattern), options.pattern, plan);
        result.by_form.emplace_back("template", result.text);
    }
    if (options.output.empty()) return result;
    write_result_file(options.output, result.text);
    result.text.clear();
    return result;
}

} // namespace cpl_lb
