// What stands below a table, in lines.
#include "tools/reasons.hpp"

#include "report/words.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>

namespace cpl_lb {

void Reasons::add(const std::string &why, const std::string &figure) {
    auto same = std::ranges::find(reasons_, why, &Reason::why);
    if (same == reasons_.end()) same = reasons_.insert(same, {why, {}});
    if (same->figures.empty() || same->figures.back() != figure) same->figures.push_back(figure);
}

std::string Reasons::text() const {
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
