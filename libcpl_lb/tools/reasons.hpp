// What stands below a table: why figures are not known, each reason once, and notes.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

class ReasonsBelow {
public:
    // What stands between two figures, and around all of one reason: "the energy on 8, 16 cores".
    explicit ReasonsBelow(std::string between, std::string before = "", std::string behind = "")
        : between_(std::move(between)), before_(std::move(before)), behind_(std::move(behind)) {}
    void add(const std::string &why, const std::string &figure);
    // The same, but a figure that comes twice in turn for this reason is named once.
    void add_once(const std::string &why, const std::string &figure);
    // "n/a: ASYPD; RSYPD (no job log)": lines of 80 columns, the reasons in the order in which they came.
    [[nodiscard]] std::string text() const;

private:
    struct Reason {
        std::string why;
        std::vector<std::string> figures;
    };
    Reason &reason_of(const std::string &why);

    std::string between_, before_, behind_;
    std::vector<Reason> reasons_;
};

// "Note: ..." in lines of 80 columns. Foreign text is made safe.
[[nodiscard]] std::string notes_text(const std::vector<std::string> &notes);

} // namespace cpl_lb
