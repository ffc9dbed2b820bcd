// Writes each setting as its name, a length and a value, and reads them; unknown names are passed over.
#include "io/settings/settings_codec.hpp"

#include "io/settings/settings_table.hpp"
#include "support/fmt.hpp"

#include <charconv>

namespace cpl_lb {

namespace {

constexpr std::string_view before_version = "settings of cpl_lb ";

std::string value_of(const Settings &settings, const Setting &setting) {
    if (const auto *text = std::get_if<std::string Settings::*>(&setting.member)) return settings.*(*text);
    return fortran_literal(settings, setting);
}

// The root may have made a relative path absolute, and so longer than a user may write.
Setting of_any_length(Setting setting) {
    if (std::holds_alternative<std::string Settings::*>(setting.member)) setting.most = encoded_settings_max_bytes;
    return setting;
}

// Takes "NAME length:value\n" off the front.
bool take_value(std::string_view &rest, std::string_view name, std::string_view &value) {
    if (!rest.starts_with(name) || !rest.substr(name.size()).starts_with(' ')) return false;
    rest.remove_prefix(name.size() + 1);
    std::size_t length = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    if (code != std::errc{}) return false;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with(':') || rest.size() < 2 || length > rest.size() - 2) return false;
    value = rest.substr(1, length);
    rest.remove_prefix(length + 1);
    if (!rest.starts_with('\n')) return false;
    rest.remove_prefix(1);
    return true;
}

// Stands behind the values: whether the user asked for timelines, which are the default, too.
constexpr std::string_view timeline_was_given = "timeline: given\n", timeline_was_not_given = "timeline: not given\n";

} // namespace

std::string encode(const Settings &settings) {
    std::string text(settings_header());
    for (const Setting &setting : settings_table()) {
        const std::string value = value_of(settings, setting);
        text += fmt::format("{} {}:{}\n", setting.environment.substr(environment_prefix.size()), value.size(), value);
    }
    text += settings.timeline_given ? timeline_was_given : timeline_was_not_given;
    return text;
}

std::optional<Settings> decode_settings(std::string_view text) {
    const std::string_view header = settings_header();
    if (!text.starts_with(header)) return std::nullopt;
    text.remove_prefix(header.size());
    Settings settings;
    for (const Setting &setting : settings_table()) {
        std::string_view value;
        if (!take_value(text, setting.environment.substr(environment_prefix.size()), value)) return std::nullopt;
        if (!assign(settings, of_any_length(setting), value).empty()) return std::nullopt;
    }
    settings.timeline_given = text == timeline_was_given;
    if (!settings.timeline_given && text != timeline_was_not_given) return std::nullopt;
    std::string name;
    if (!inconsistency(settings, name).empty()) return std::nullopt;
    return settings;
}

std::string version_of_settings(std::string_view text) {
    if (!text.starts_with(before_version)) return {};
    text.remove_prefix(before_version.size());
    return std::string(text.substr(0, text.find('\n')));
}

std::vector<std::string_view> differing_settings(const Settings &a, const Settings &b) {
    std::vector<std::string_view> names;
    for (const Setting &setting : settings_table()) {
        const auto equal = [&](auto member) { return a.*member == b.*member; };
        if (!setting.name.empty() && !std::visit(equal, setting.member)) names.push_back(setting.name);
    }
    return names;
}

} // namespace cpl_lb
