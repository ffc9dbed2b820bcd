// Cray's loopmark listings, which Modeling Assertions (section 3.1) takes the MV score from.
#include "projection/predictors/vector_report.hpp"

#include "support/csv_cells.hpp"

#include <cctype>
#include <optional>
#include <utility>

namespace cpl_lb {
namespace {

// "   12.  + MV r4-----<>  do i = 1, n": the letters that begin here stand before the dashes and the "<"; those of
// the loops around it to their left. V: vectorised; M, m, S, P: in threads, multistreamed or partitioned among them.
std::optional<ReportedLoop> marked_loop(std::string_view line) {
    const std::string_view text = without_blanks(line);
    const std::size_t point = text.find('.');
    const int number = point == std::string_view::npos ? 0 : report_line_number(text.substr(0, point));
    if (number == 0) return std::nullopt;
    const std::string_view rest = text.substr(point + 1);
    const std::size_t begin = rest.find("-<");
    if (begin == std::string_view::npos) return std::nullopt;
    const std::size_t dash = rest.find_last_not_of('-', begin);
    if (dash == std::string_view::npos) return std::nullopt;
    std::size_t first = dash + 1;
    while (first > 0 && std::isalnum(static_cast<unsigned char>(rest[first - 1])) != 0)
        --first;
    const std::string_view marks = rest.substr(first, dash + 1 - first);
    // Marks are few; a longer word, or one not at the left, is source text such as "a--<b".
    if (marks.empty() || marks.size() > 6 || rest.substr(0, first).find_first_of("=(!") != std::string_view::npos)
        return std::nullopt;
    ReportedLoop loop;
    loop.line = number;
    loop.vectorised = report_holds(marks, "V");
    loop.threaded = marks.find_first_of("MmSP") != std::string_view::npos;
    loop.words = "marked " + std::string(marks);
    return loop;
}

// The value behind "File = " or "Line = ".
std::string_view value_of(std::string_view text, std::string_view name) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) return {};
    const std::string_view rest = text.substr(at + name.size());
    return without_blanks(rest.substr(0, rest.find(',')));
}

class CrayReport final : public ReportFormat {
public:
    void read(std::string_view line, std::vector<ReportedLoop> &found) override {
        if (report_holds(line, "File = ") && report_holds(line, "Line = ")) {
            file_ = value_of(line, "File = ");
            line_ = report_line_number(value_of(line, "Line = "));
            return;
        }
        if (line_ > 0 && !without_blanks(line).empty()) return message(without_blanks(line), found);
        line_ = 0;
        if (auto loop = marked_loop(line)) marked_.push_back(std::move(*loop));
    }
    // The messages say the same with the file's name.
    void finish(std::vector<ReportedLoop> &found) override {
        if (!has_messages_) found.insert(found.end(), marked_.begin(), marked_.end());
    }

private:
    void message(std::string_view words, std::vector<ReportedLoop> &found) {
        ReportedLoop loop{file_, std::exchange(line_, 0), false, false, std::string(words)};
        if (words.substr(0, 2) != "A ") return;
        const bool missed = report_holds(words, "was not vectorized") || report_holds(words, "not multi-streamed");
        loop.vectorised = report_holds(words, "was vectorized") || report_holds(words, "was partially vectorized");
        loop.threaded = report_holds(words, "multi-threaded") || report_holds(words, "was multi-streamed") ||
                        report_holds(words, "was partitioned") || report_holds(words, "multithreaded");
        if (!loop.vectorised && !loop.threaded && !missed) return;
        has_messages_ = true;
        found.push_back(std::move(loop));
    }

    std::string file_;
    int line_ = 0; // of the message that follows
    bool has_messages_ = false;
    std::vector<ReportedLoop> marked_;
};

} // namespace

std::unique_ptr<ReportFormat> cray_report() {
    return std::make_unique<CrayReport>();
}

} // namespace cpl_lb
