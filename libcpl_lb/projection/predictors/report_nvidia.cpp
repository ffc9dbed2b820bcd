// What NVIDIA's compilers print with -Minfo.
#include "projection/predictors/vector_report.hpp"

#include "support/csv_cells.hpp"

namespace cpl_lb {
namespace {

bool is_source(std::string_view name) {
    for (const std::string_view end : {".f90", ".F90", ".f", ".F", ".f95", ".F95", ".c", ".cpp", ".cc", ".cxx", ".C"})
        if (name.size() > end.size() && name.substr(name.size() - end.size()) == end) return true;
    return false;
}

class NvidiaReport final : public ReportFormat {
public:
    void read(std::string_view line, std::vector<ReportedLoop> &found) override {
        const std::string_view text = without_blanks(line);
        if (text.empty()) return;
        const std::size_t indent = line.find_first_not_of(" \t");
        if (indent == 0) {
            // "name:" of a function or a file; anything else is another program's line.
            in_list_ = text.back() == ':' && !report_holds(text, ": ");
            if (in_list_ && is_source(text.substr(0, text.size() - 1))) file_ = text.substr(0, text.size() - 1);
            included_.clear();
            line_ = 0;
            return;
        }
        if (!in_list_) return;
        const std::size_t comma = text.find(',');
        const int number = comma == std::string_view::npos ? 0 : report_line_number(text.substr(0, comma));
        if (number == 0) return message(text, found);
        if (indent <= included_indent_) included_.clear();
        line_ = number;
        message(without_blanks(text.substr(comma + 1)), found);
        if (included_.empty()) included_indent_ = indent;
    }

private:
    void message(std::string_view words, std::vector<ReportedLoop> &found) {
        constexpr std::string_view include = "include \"";
        if (words.substr(0, include.size()) == include) {
            included_ = words.substr(include.size(), words.rfind('"') - include.size());
            return;
        }
        if (line_ == 0) return;
        const bool vectorised = report_holds(words, "enerated vector ") || report_holds(words, "Loop vectorized");
        const bool threaded = report_holds(words, "arallelized across") ||
                              report_holds(words, "arallel code generated") ||
                              report_holds(words, "Parallel loop activated");
        const bool missed = report_holds(words, "Loop not vectorized") || report_holds(words, "not parallelized");
        if (vectorised || threaded || missed)
            found.push_back({included_.empty() ? file_ : included_, line_, vectorised, threaded, std::string(words)});
    }

    std::string file_;     // empty: the report does not name it
    std::string included_; // the file that the lines further in are of
    std::size_t included_indent_ = 0;
    bool in_list_ = false;
    int line_ = 0; // which the messages without a number belong to
};

} // namespace

std::unique_ptr<ReportFormat> nvidia_report() {
    return std::make_unique<NvidiaReport>();
}

} // namespace cpl_lb
