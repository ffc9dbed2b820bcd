// Intel's optimisation reports, of the classic compilers and of those on LLVM.
#include "projection/predictors/vector_report.hpp"

#include "support/csv_cells.hpp"

#include <algorithm>
#include <cctype>

namespace cpl_lb {
namespace {

std::string lower(std::string_view text) {
    std::string all(text);
    std::transform(all.begin(), all.end(), all.begin(), [](unsigned char c) { return std::tolower(c); });
    return all;
}

// "file(line,column)", "file (line, column)" or "file(line:column-...": the line is 0 if it is none.
ReportedLoop place_in(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) return {};
    const std::size_t end = text.find_first_of(",:)", open);
    if (end == std::string_view::npos) return {};
    ReportedLoop loop;
    loop.file = without_blanks(text.substr(0, open));
    loop.line = report_line_number(without_blanks(text.substr(open + 1, end - open - 1)));
    return loop;
}

class IntelReport final : public ReportFormat {
public:
    void read(std::string_view line, std::vector<ReportedLoop> &found) override {
        const std::string_view text = without_blanks(line);
        constexpr std::string_view begin = "LOOP BEGIN";
        if (text.substr(0, begin.size()) == begin) {
            // What follows "inlined into" is where it is called from.
            const std::string_view at = text.substr(0, text.find(" inlined into "));
            open_.push_back(at.size() > begin.size() + 4 ? place_in(at.substr(begin.size() + 4)) : ReportedLoop{});
        } else if (text == "LOOP END") {
            close(found);
        } else if (report_holds(text, ":OMP:") && report_holds(text, "LOOP WAS PARALLELIZED")) {
            ReportedLoop loop = place_in(text);
            loop.threaded = true;
            loop.words = without_blanks(text.substr(text.rfind(':') + 1));
            if (loop.line > 0) found.push_back(std::move(loop));
        } else if (!open_.empty()) {
            remark(text);
        }
    }
    void finish(std::vector<ReportedLoop> &found) override {
        while (!open_.empty())
            close(found);
    }

private:
    void remark(std::string_view text) {
        const std::size_t colon = text.find(": ");
        if (text.substr(0, 8) != "remark #" || colon == std::string_view::npos) return;
        const std::string_view words = text.substr(colon + 2);
        const std::string small = lower(words);
        const bool vectorised = report_holds(small, "loop was vectorized");
        const bool threaded = report_holds(small, "loop was parallelized") ||
                              report_holds(small, "loop was auto-parallelized") ||
                              report_holds(small, "outlined parallel loop");
        const bool said = vectorised || report_holds(small, "was not vectorized");
        ReportedLoop &loop = open_.back();
        if ((said && !loop.vectorised) || loop.words.empty()) loop.words = words;
        loop.vectorised = loop.vectorised || vectorised;
        loop.threaded = loop.threaded || threaded;
    }
    // What is left of a loop before and after its vectors, a loop of its own here, stands at the same line.
    void close(std::vector<ReportedLoop> &found) {
        if (open_.empty()) return;
        if (open_.back().line > 0) found.push_back(std::move(open_.back()));
        open_.pop_back();
    }

    std::vector<ReportedLoop> open_; // outermost first
};

} // namespace

std::unique_ptr<ReportFormat> intel_report() {
    return std::make_unique<IntelReport>();
}

} // namespace cpl_lb
