// The table of gone names, and where a command line has one.
#include "support/gone_names.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr GoneName table[] = {
#include "support/gone_names.inc"
};

// Calls use(part) for each part of a list with commas; once if it is empty.
template <class Use>
void for_each_part(std::string_view list, Use use) {
    for (std::size_t end = list.find(", "); end != std::string_view::npos; end = list.find(", ")) {
        use(list.substr(0, end));
        list.remove_prefix(end + 2);
    }
    use(list);
}

std::string line_of(const GoneName &gone) {
    const bool is_option = gone.name.starts_with('-');
    const std::string name = is_option ? fmt::format("cpl-lb {} {}", gone.of, gone.name)
                                       : (gone.of.empty() ? "cpl-lb " : "") + std::string(gone.name);
    return fmt::format("{} is gone: {}", name, gone.instead);
}

// "--launch pbs", "--launch=pbs", or a flag.
bool stands_at(std::string_view name, const std::vector<std::string> &words, std::size_t at) {
    const std::size_t blank = name.find(' ');
    const std::string option(name.substr(0, blank));
    if (blank == std::string_view::npos) return words[at] == option || words[at].starts_with(option + "=");
    const std::string value(name.substr(blank + 1));
    const bool follows = at + 1 < words.size() && words[at] == option && words[at + 1] == value;
    return follows || words[at] == option + "=" + value;
}

} // namespace

const std::vector<GoneName> &gone_names() {
    static const std::vector<GoneName> all = [] {
        std::vector<GoneName> each;
        for (const GoneName &row : table) {
            for_each_part(row.of, [&](std::string_view of) {
                for_each_part(row.name, [&](std::string_view name) { each.push_back({of, name, row.instead}); });
            });
        }
        return each;
    }();
    return all;
}

std::string gone_in(std::string_view of, std::string_view name) {
    for (const GoneName &gone : gone_names())
        if (gone.of == of && gone.name == name) return line_of(gone);
    return {};
}

std::string gone_in_command(const std::vector<std::string> &words) {
    if (words.empty()) return {};
    const std::string both = words.size() > 1 ? words[0] + " " + words[1] : words[0];
    for (const std::string &command : {words[0], both})
        if (std::string line = gone_in("", command); !line.empty()) return line;
    const auto own_end = std::find(words.begin(), words.end(), "--"); // behind it: a command of the user's
    const auto own = static_cast<std::size_t>(own_end - words.begin());
    for (const GoneName &gone : gone_names())
        for (std::size_t at = 1; (gone.of == words[0] || gone.of == both) && at < own; ++at)
            if (stands_at(gone.name, words, at)) return line_of(gone);
    return {};
}

} // namespace cpl_lb
