// gcc's and clang's remarks, and what all readers share.
#include "projection/predictors/report_formats.hpp"

#include <charconv>
#include <optional>

namespace cpl_lb {
namespace {

// "file:line:column: what"; the file's name may hold colons.
std::optional<ReportedLoop> remark_in(std::string_view text) {
    for (const std::string_view kind : {": optimized: ", ": missed: ", ": remark: "}) {
        const std::size_t end = text.find(kind);
        if (end == std::string_view::npos) continue;
        const std::string_view place = text.substr(0, end);
        const std::size_t column = place.rfind(':');
        const std::size_t line = column == std::string_view::npos ? column : place.rfind(':', column - 1);
        if (line == std::string_view::npos || line == 0) return std::nullopt;
        const int number = report_line_number(place.substr(line + 1, column - line - 1));
        if (number == 0) return std::nullopt;
        ReportedLoop loop{std::string(place.substr(0, line)), number, false, false,
                          std::string(text.substr(end + kind.size()))};
        loop.vectorised = report_holds(loop.words, "loop vectorized") || report_holds(loop.words, "vectorized loop");
        loop.threaded = report_holds(loop.words, "parallelizing") && report_holds(loop.words, " loop");
        const bool missed =
            report_holds(loop.words, "couldn't vectorize loop") || report_holds(loop.words, "loop not vectorized");
        // clang's analysis remark stands at the statement, its loop has a remark of its own.
        const bool of_statement = report_holds(loop.words, "[-Rpass-analysis");
        if (loop.vectorised || loop.threaded || (missed && !of_statement)) return loop;
        return std::nullopt;
    }
    return std::nullopt;
}

class GccAndClangReport final : public ReportFormat {
public:
    void read(std::string_view line, std::vector<ReportedLoop> &found) override {
        if (auto loop = remark_in(line)) found.push_back(std::move(*loop));
    }
};

} // namespace

bool report_holds(std::string_view text, std::string_view words) {
    return text.find(words) != std::string_view::npos;
}

int report_line_number(std::string_view digits) {
    int value = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && rest == digits.data() + digits.size() && value > 0 ? value : 0;
}

std::string_view report_trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::unique_ptr<ReportFormat> gcc_and_clang_report() {
    return std::make_unique<GccAndClangReport>();
}

} // namespace cpl_lb
