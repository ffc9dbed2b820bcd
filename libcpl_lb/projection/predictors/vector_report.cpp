// Reads compilers' lines on loops, and gives the score of the loops of a block.
#include "projection/predictors/vector_report.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace cpl_lb {
namespace {

bool holds(std::string_view text, std::string_view words) {
    return text.find(words) != std::string_view::npos;
}

std::optional<int> line_number(std::string_view digits) {
    int value = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && rest == digits.data() + digits.size() && value > 0 ? std::optional(value)
                                                                                      : std::nullopt;
}

// "file:line:column: what"; the file's name may hold colons.
std::optional<ReportedLoop> loop_in(std::string_view text) {
    for (const std::string_view kind : {": optimized: ", ": missed: ", ": remark: "}) {
        const std::size_t end = text.find(kind);
        if (end == std::string_view::npos) continue;
        const std::string_view place = text.substr(0, end);
        const std::size_t column = place.rfind(':');
        const std::size_t line = column == std::string_view::npos ? column : place.rfind(':', column - 1);
        if (line == std::string_view::npos || line == 0) return std::nullopt;
        const auto number = line_number(place.substr(line + 1, column - line - 1));
        if (!number) return std::nullopt;
        ReportedLoop loop{std::string(place.substr(0, line)), *number, false, false,
                          std::string(text.substr(end + kind.size()))};
        loop.vectorised = holds(loop.words, "loop vectorized") || holds(loop.words, "vectorized loop");
        loop.threaded = holds(loop.words, "parallelizing") && holds(loop.words, " loop");
        const bool missed = holds(loop.words, "couldn't vectorize loop") || holds(loop.words, "loop not vectorized");
        // clang's analysis remark stands at the statement, its loop has a remark of its own.
        const bool of_statement = holds(loop.words, "[-Rpass-analysis");
        if (loop.vectorised || loop.threaded || (missed && !of_statement)) return loop;
        return std::nullopt;
    }
    return std::nullopt;
}

bool is_file(const std::string &path, const std::string &wanted) {
    if (path == wanted) return true;
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
                                     ? "says nothing of loops: is it made with -fopt-info-vec-all (gcc) or "
                                       "-Rpass=loop-vectorize -Rpass-missed=loop-vectorize (clang)?"
                                     : fmt::format("says nothing of loops in '{}'", wanted));
    }
    throw std::runtime_error(
        fmt::format("is of several files: write --lines {}:FIRST-LAST, or another of them", files.front()));
}

} // namespace

std::vector<ReportedLoop> reported_loops(std::string_view report) {
    std::vector<ReportedLoop> loops;
    std::vector<std::string> files;
    while (!report.empty()) {
        const std::size_t end = std::min(report.find('\n'), report.size());
        if (auto found = loop_in(report.substr(0, end))) {
            const auto same = [&](const ReportedLoop &l) { return l.line == found->line && l.file == found->file; };
            const auto at = std::find_if(loops.begin(), loops.end(), same);
            if (std::find(files.begin(), files.end(), found->file) == files.end()) files.push_back(found->file);
            if (at == loops.end()) {
                loops.push_back(std::move(*found));
            } else {
                if (found->vectorised && !at->vectorised) at->words = found->words;
                at->vectorised = at->vectorised || found->vectorised;
                at->threaded = at->threaded || found->threaded;
            }
        }
        report.remove_prefix(std::min(end + 1, report.size()));
    }
    const auto place = [&](const ReportedLoop &l) { return std::find(files.begin(), files.end(), l.file); };
    std::sort(loops.begin(), loops.end(), [&](const ReportedLoop &a, const ReportedLoop &b) {
        return place(a) != place(b) ? place(a) < place(b) : a.line < b.line;
    });
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

} // namespace cpl_lb
