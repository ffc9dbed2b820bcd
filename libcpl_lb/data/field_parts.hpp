// A process may make several calls for one exchange (a coupler that receives from one process after the other). The
// second call and those that follow are events of fields of their own, "tag 1 #2" and so on for "tag 1"
// (docs/definitions.md, section 1).
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// The most calls of a process that are told apart in one exchange. Later calls belong to no exchange that another
// component sees.
inline constexpr std::uint32_t most_parts = 999;

// The name of a part, from 2 on.
[[nodiscard]] inline std::string part_name(std::string_view field, std::uint32_t part) {
    return std::string(field) + " #" + std::to_string(part);
}

// The field of which this name is a part; nothing if it is not the name of a part.
[[nodiscard]] inline std::optional<std::string_view> whole_of_part(std::string_view field) {
    const std::size_t at = field.rfind(" #");
    if (at == std::string_view::npos || at == 0 || at + 2 == field.size()) return {};
    const std::string_view part = field.substr(at + 2);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (part.size() > 3 || part == "1" || part.front() == '0' || !std::all_of(part.begin(), part.end(), is_digit))
        return {};
    return field.substr(0, at);
}

// The fields of a run that are parts of other fields of it; ids from 1.
class FieldParts {
public:
    explicit FieldParts(const std::vector<std::string> &names) : whole_(names.size() + 1) {
        std::map<std::string_view, std::int32_t> ids;
        for (std::size_t i = 0; i < names.size(); ++i)
            ids.emplace(names[i], static_cast<std::int32_t>(i) + 1);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto whole = whole_of_part(names[i]);
            const auto at = whole ? ids.find(*whole) : ids.end();
            if (at == ids.end()) continue;
            whole_[i + 1] = at->second;
            parts_[at->second].push_back(static_cast<std::int32_t>(i) + 1);
        }
    }
    [[nodiscard]] bool is_part(std::int32_t field) const {
        const auto at = static_cast<std::size_t>(field);
        return field > 0 && at < whole_.size() && whole_[at] != 0;
    }
    [[nodiscard]] const std::vector<std::int32_t> &of(std::int32_t whole) const {
        static const std::vector<std::int32_t> none;
        const auto at = parts_.find(whole);
        return at == parts_.end() ? none : at->second;
    }

private:
    std::vector<std::int32_t> whole_;
    std::map<std::int32_t, std::vector<std::int32_t>> parts_;
};

} // namespace cpl_lb
