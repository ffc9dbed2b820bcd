// Reads the namelist first and the environment over it, and says what is wrong in one line.
#include "io/settings/settings_source.hpp"

#include "io/settings/namelist.hpp"
#include "io/settings/namelist_scanner.hpp"
#include "io/settings/settings_table.hpp"
#include "support/fmt.hpp"
#include "support/gone_names.hpp"
#include "support/word_distance.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace cpl_lb {

namespace {

// " (nn_max_mb?)" for nn_maxmb; "" if no name is near. By the names in the namelist (&Setting::name) or the
// environment.
std::string nearest_setting(std::string_view given, std::string_view Setting::*column) {
    constexpr std::size_t longest = 32;
    if (given.size() > longest) return {};
    std::vector<std::string> names;
    for (const Setting &setting : settings_table())
        names.emplace_back(setting.*column);
    const std::string best = nearest_word(std::string(given), names);
    return best.empty() ? best : fmt::format(" ({}?)", best);
}

// Null if there is no such setting.
const Setting *find_setting(std::string_view name, std::string_view Setting::*column) {
    for (const Setting &setting : settings_table())
        if (setting.*column == name && !name.empty()) return &setting;
    return nullptr;
}

bool is_text(const Setting &setting) {
    return std::holds_alternative<std::string Settings::*>(setting.member);
}

bool is_null(const NamelistValue &value) {
    return value.form == NamelistValue::Form::null;
}

NamelistError too_many(const NamelistFile &file, const NamelistEntry &entry) {
    for (const NamelistValue &value : entry.values) { // ln_report .false. on the next line: a forgotten '='
        const std::string word = namelist_lower(value.text);
        if (value.line > entry.line && find_setting(word, &Setting::name) != nullptr) {
            return {file.name, value.line, word, "no '=' after the name"};
        }
    }
    return {file.name, entry.line, entry.name, "more than one value"};
}

std::optional<NamelistError> apply(Settings &settings, const NamelistFile &file, const NamelistEntry &entry) {
    const Setting *setting = find_setting(entry.name, &Setting::name);
    if (setting == nullptr && !gone_in(of_namelist, entry.name).empty()) return {};
    if (setting == nullptr) {
        const std::string near = nearest_setting(entry.name, &Setting::name);
        return NamelistError{file.name, entry.line, entry.name, "unknown name" + near};
    }
    if (entry.values.empty()) return {};
    const NamelistValue &value = entry.values.front();
    const bool more = entry.values.size() > 2 || (entry.values.size() == 2 && !is_null(entry.values.back()));
    if (more || (value.repeat > 1 && !is_null(value))) return too_many(file, entry);
    const auto wanted = is_text(*setting) ? NamelistValue::Form::quoted : NamelistValue::Form::bare;
    if (is_null(value)) return {}; // keeps what it had
    std::string wrong;
    if (value.form == wanted) {
        wrong = assign(settings, *setting, value.text);
    } else if (is_text(*setting)) {
        wrong = "a string needs quotes: " + quoted_for_message(value.text);
    } else {
        wrong = "this value takes no quotes: " + quoted_for_message(value.text);
    }
    if (wrong.empty()) return {};
    return NamelistError{file.name, value.line, entry.name, wrong};
}

std::string no_group(const NamelistFile &file, const Namelists &lists) {
    const bool damaged = !lists.groups.empty() && lists.groups.back().error;
    const std::string why = damaged ? " (" + lists.groups.back().error->text() + ")" : std::string();
    return NamelistError{file.name, 0, "", fmt::format("no group &{}{}", namelist_group, why)}.text();
}

std::string read_namelist(Settings &settings, const NamelistFile &file, const Namelists &lists) {
    if (lists.error) return lists.error->text();
    const NamelistGroup *group = lists.find(namelist_group);
    if (group == nullptr) return no_group(file, lists);
    settings = default_settings_of_namelist();
    std::optional<NamelistError> first = group->error;
    for (const NamelistEntry &entry : group->entries) {
        if (first && first->line <= entry.line) break; // what is wrong first in the file is told
        if (auto error = apply(settings, file, entry)) first = std::move(error);
    }
    return first ? first->text() : std::string();
}

// People write switches in shells in other ways than in Fortran.
std::string_view shell_logical(std::string_view text) {
    constexpr std::array<std::string_view, 4> on = {"1", "on", "yes", "y"};
    constexpr std::array<std::string_view, 4> off = {"0", "off", "no", "n"};
    const std::string word = namelist_lower(text);
    if (std::find(on.begin(), on.end(), word) != on.end()) return "T";
    if (std::find(off.begin(), off.end(), word) != off.end()) return "F";
    return text;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string read_environment(Settings &settings, const Environment &environment) {
    for (const Setting &setting : settings_table()) {
        const auto variable = environment.find(setting.environment);
        if (variable == environment.end()) continue;
        std::string_view text = trimmed(variable->second);
        const bool may_be_empty = is_text(setting) && setting.least < 1;
        if (text.empty() && !may_be_empty) continue; // VARIABLE= is how shells unset for one command
        if (std::holds_alternative<bool Settings::*>(setting.member)) text = shell_logical(text);
        const std::string wrong = assign(settings, setting, text);
        if (!wrong.empty()) return fmt::format("{}: {}", setting.environment, wrong);
    }
    return {};
}

// Finds values that are right alone but wrong together. Blames the environment if it gave the last of them.
std::string check(const Settings &settings, const NamelistFile &file, const Namelists &lists,
                  const Environment &environment) {
    std::string name;
    const std::string wrong = inconsistency(settings, name);
    if (wrong.empty()) return {};
    int line = 0;
    if (const NamelistGroup *group = lists.find(namelist_group)) {
        for (const NamelistEntry &entry : group->entries)
            if (entry.name == name) line = entry.line;
    }
    const std::string_view variable = find_setting(name, &Setting::name)->environment;
    if (line == 0 || environment.contains(variable)) return fmt::format("{}: {}", variable, wrong);
    return NamelistError{file.name, line, name, wrong}.text();
}

bool gives(std::string_view name, const Namelists &lists, const Environment &environment) {
    const Setting *setting = find_setting(name, &Setting::name);
    if (environment.contains(setting->environment)) return true;
    const NamelistGroup *group = lists.find(namelist_group);
    return group != nullptr && std::any_of(group->entries.begin(), group->entries.end(),
                                           [&](const NamelistEntry &e) { return e.name == setting->name; });
}

std::string names_that_are_gone(const Namelists &lists, const Environment &environment) {
    std::string lines;
    const auto add = [&](const std::string &line) { lines += (lines.empty() || line.empty() ? "" : "; ") + line; };
    if (const NamelistGroup *group = lists.find(namelist_group))
        for (const NamelistEntry &entry : group->entries)
            add(gone_in(of_namelist, entry.name));
    for (const auto &[name, value] : environment)
        add(gone_in(of_environment, name));
    return lines;
}

std::string unknown_variables(const Environment &environment) {
    std::string warning;
    for (const auto &[name, value] : environment) {
        const bool other = std::find(other_variables.begin(), other_variables.end(), name) != other_variables.end();
        const bool ours = std::string_view(name).starts_with(environment_prefix);
        if (!ours || other || find_setting(name, &Setting::environment) != nullptr) continue;
        if (!gone_in(of_environment, name).empty()) continue;
        warning += warning.empty() ? "unknown in the environment: " : ", ";
        warning += quoted_for_message(name) + nearest_setting(name, &Setting::environment);
    }
    constexpr std::size_t longest = 500;
    if (warning.size() > longest) warning = warning.substr(0, longest) + " ...";
    return warning;
}

} // namespace

SettingsResult load_settings(const NamelistFile &file, const Environment &environment) {
    SettingsResult result;
    result.warning = unknown_variables(environment);
    result.found_namelist = file.text.has_value();
    Namelists lists;
    if (file.text) {
        lists = parse_namelists(*file.text, file.name);
        result.error = read_namelist(result.settings, file, lists);
    }
    if (result.error.empty()) result.error = read_environment(result.settings, environment);
    if (result.error.empty()) result.error = check(result.settings, file, lists, environment);
    result.timeout_given = gives("rn_timeout", lists, environment);
    result.settings.timeline_given = gives("ln_timeline", lists, environment);
    if (result.warning.empty()) result.warning = names_that_are_gone(lists, environment);
    if (!result.error.empty()) result.settings = Settings{};
    return result;
}

} // namespace cpl_lb
