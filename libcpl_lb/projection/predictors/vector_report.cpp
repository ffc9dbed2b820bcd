// Reads compilers' lines on loops, and gives the score of the loops of a block.
#include "projection/predictors/vector_report.hpp"

#include "projection/predictors/report_formats.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

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
                                     : fmt::format("says nothing of loops in '{}'", wanted));
    }
    throw std::runtime_error(
        fmt::format("is of several files: write --lines {}:FIRST-LAST, or another of them", files.front()));
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

    std::vector<ReportedLoop> loops; // each once
    std::vector<std::string> files;
    for (ReportedLoop &one : found) {
        const auto same = [&](const ReportedLoop &l) { return l.line == one.line && l.file == one.file; };
        const auto at = std::find_if(loops.begin(), loops.end(), same);
        if (std::find(files.begin(), files.end(), one.file) == files.end()) files.push_back(one.file);
        if (at == loops.end()) {
            loops.push_back(std::move(one));
            continue;
        }
        if (one.vectorised && !at->vectorised) at->words = one.words;
        at->vectorised = at->vectorised || one.vectorised;
        at->threaded = at->threaded || one.threaded;
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
