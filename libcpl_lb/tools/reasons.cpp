// What stands below a table, in lines.
#include "tools/reasons.hpp"

#include "report/words.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>

namespace cpl_lb {

ReasonsBelow::Reason &ReasonsBelow::reason_of(const std::string &why) {
    const auto same = std::ranges::find(reasons_, why, &Reason::why);
    return same == reasons_.end() ? reasons_.emplace_back(Reason{why, {}}) : *same;
}

void ReasonsBelow::add(const std::string &why, const std::string &figure) {
    reason_of(why).figures.push_back(figure);
}

void ReasonsBelow::add_once(const std::string &why, const std::string &figure) {
    std::vector<std::string> &figures = reason_of(why).figures;
    if (figures.empty() || figures.back() != figure) figures.push_back(figure);
}

std::string ReasonsBelow::text() const {
    std::string lines;
    for (const auto &[why, figures] : reasons_)
        lines += wrapped("n/a: " + before_ + joined(figures, between_) + behind_ + " (" + why + ")", 80);
    return lines;
}

std::string notes_text(const std::vector<std::string> &notes) {
    std::string lines;
    for (const std::string &note : notes)
        lines += wrapped("Note: " + safe_name(note), 80);
    return lines;
}

} // namespace cpl_lb
