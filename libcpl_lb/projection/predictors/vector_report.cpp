// Reads compilers' lines on loops, knows whose they are, and gives the score of the loops of a block.
#include "projection/predictors/vector_report.hpp"

#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

bool is_file(const std::string &path, const std::string &wanted) {
    if (path == wanted || path.empty()) return true; // empty: the report does not name it
    return path.size() > wanted.size() && path[path.size() - wanted.size() - 1] == '/' &&
           path.compare(path.size() - wanted.size(), wanted.size(), wanted) == 0;
}

std::string the_file(const std::vector<ReportedLoop> &loops, const std::string &wanted) {
    std::vector<std::string> files;
    for (const ReportedLoop &loop : loops) {
        if ((wanted.empty() || is_file(loop.file, wanted)) &&
            std::find(files.begin(), files.end(), loop.file) == files.end())
            files.push_back(loop.file);
    }
    if (files.size() == 1) return files.front();
    if (files.empty()) {
        throw std::runtime_error(wanted.empty()
                                     ? "says nothing of loops: is it made with -fopt-info-vec-all (gcc), "
                                       "-Rpass=loop-vectorize -Rpass-missed=loop-vectorize (clang), -qopt-report "
                                       "(Intel), -Minfo (NVIDIA) or -hlist=m (Cray)?"
                                     : fmt::format("says nothing of loops in '{}'", excerpt(wanted, 200)));
    }
    throw std::runtime_error(fmt::format("is of several files: write --lines {}:FIRST-LAST, or another of them",
                                         excerpt(files.front(), 200)));
}

} // namespace

std::vector<ReportedLoop> reported_loops(std::string_view report) {
    const std::array<std::unique_ptr<ReportFormat>, 4> formats = {gcc_and_clang_report(), intel_report(),
                                                                  nvidia_report(), cray_report()};
    std::vector<ReportedLoop> found;
    while (!report.empty()) {
        const std::size_t end = std::min(report.find('\n'), report.size());
        for (const auto &format : formats)
            format->read(report.substr(0, end), found);
        report.remove_prefix(std::min(end + 1, report.size()));
    }
    for (const auto &format : formats)
        format->finish(found);

    std::map<std::string, std::size_t> files;                             // in the order of their first mention
    std::map<std::pair<std::size_t, int>, ReportedLoop> by_file_and_line; // each once
    for (const ReportedLoop &one : found) {
        const std::size_t file = files.try_emplace(one.file, files.size()).first->second;
        const auto [at, is_new] = by_file_and_line.try_emplace({file, one.line}, one);
        if (is_new) continue;
        ReportedLoop &known = at->second;
        if (one.vectorised && !known.vectorised) known.words = one.words;
        known.vectorised = known.vectorised || one.vectorised;
        known.threaded = known.threaded || one.threaded;
    }
    std::vector<ReportedLoop> loops;
    loops.reserve(by_file_and_line.size());
    for (auto &[place, loop] : by_file_and_line)
        loops.push_back(std::move(loop));
    return loops;
}

bool MvScore::is_mixed() const {
    const auto vectorised = [](const ReportedLoop &loop) { return loop.vectorised; };
    return std::any_of(loops.begin(), loops.end(), vectorised) &&
           !std::all_of(loops.begin(), loops.end(), vectorised);
}

MvScore mv_score(const std::vector<ReportedLoop> &loops, const std::string &file, int first, int last,
                 bool threaded) {
    const std::string source = the_file(loops, file);
    MvScore score;
    bool vectorised = false;
    for (const ReportedLoop &loop : loops) {
        if (loop.file != source || loop.line < first || loop.line > last) continue;
        vectorised = vectorised || loop.vectorised;
        threaded = threaded || loop.threaded;
        score.loops.push_back(loop);
    }
    if (!score.loops.empty()) score.mv = fmt::format("{:d}{:d}", threaded, vectorised);
    return score;
}

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

std::unique_ptr<ReportFormat> gcc_and_clang_report() {
    return std::make_unique<GccAndClangReport>();
}

} // namespace cpl_lb
