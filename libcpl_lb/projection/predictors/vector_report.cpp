// Reads compilers' lines on loops, and gives the score of the loops of a block.
#include "projection/predictors/vector_report.hpp"

#include "assertions/expression.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"
#include "support/shell_words.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

bool holds(std::string_view text, std::string_view words) {
    return text.find(words) != std::string_view::npos;
}
bool holds_one_of(std::string_view text, std::initializer_list<std::string_view> all) {
    return std::ranges::any_of(all, [&](std::string_view words) { return holds(text, words); });
}

// 0: is none.
int line_number(std::string_view digits) {
    int value = 0;
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && rest == digits.data() + digits.size() && value > 0 ? value : 0;
}

// "file:line:column: optimized: loop vectorized ..." of gcc, "remark: vectorized loop ..." of clang; the file's name
// may hold colons.
std::optional<ReportedLoop> remark_in(std::string_view text) {
    for (const std::string_view kind : {": optimized: ", ": missed: ", ": remark: "}) {
        const std::size_t end = text.find(kind);
        if (end == std::string_view::npos) continue;
        const std::string_view place = text.substr(0, end);
        const std::size_t column = place.rfind(':');
        const std::size_t line = column == std::string_view::npos ? column : place.rfind(':', column - 1);
        if (line == std::string_view::npos || line == 0) return std::nullopt;
        const int number = line_number(place.substr(line + 1, column - line - 1));
        if (number == 0) return std::nullopt;
        ReportedLoop loop{std::string(place.substr(0, line)), number, false, false,
                          std::string(text.substr(end + kind.size()))};
        loop.vectorised = holds_one_of(loop.words, {"loop vectorized", "vectorized loop"});
        loop.threaded = holds(loop.words, "parallelizing") && holds(loop.words, " loop");
        const bool missed = holds_one_of(loop.words, {"couldn't vectorize loop", "loop not vectorized"});
        // clang's analysis remark stands at the statement, its loop has a remark of its own.
        const bool of_statement = holds(loop.words, "[-Rpass-analysis");
        if (loop.vectorised || loop.threaded || (missed && !of_statement)) return loop;
        return std::nullopt;
    }
    return std::nullopt;
}

// "file(line,column)", "file (line, column)" or "file(line:column-...": the line is 0 if it is none.
ReportedLoop place_in(std::string_view text) {
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos) return {};
    const std::size_t end = text.find_first_of(",:)", open);
    if (end == std::string_view::npos) return {};
    ReportedLoop loop;
    loop.file = without_blanks(text.substr(0, open));
    loop.line = line_number(without_blanks(text.substr(open + 1, end - open - 1)));
    return loop;
}

// -qopt-report of Intel's compilers, the classic ones and those on LLVM: "LOOP BEGIN at file(line,column)", in it
// "remark #15300: LOOP WAS VECTORIZED", to "LOOP END"; nested as the loops are.
class IntelReport {
public:
    void read(std::string_view line, std::vector<ReportedLoop> &found) {
        const std::string_view text = without_blanks(line);
        constexpr std::string_view begin = "LOOP BEGIN";
        if (text.starts_with(begin)) {
            // What follows "inlined into" is where it is called from.
            const std::string_view at = text.substr(0, text.find(" inlined into "));
            open_.push_back(at.size() > begin.size() + 4 ? place_in(at.substr(begin.size() + 4)) : ReportedLoop{});
        } else if (text == "LOOP END") {
            close(found);
        } else if (holds(text, ":OMP:") && holds(text, "LOOP WAS PARALLELIZED")) {
            ReportedLoop loop = place_in(text);
            loop.threaded = true;
            loop.words = without_blanks(text.substr(text.rfind(':') + 1));
            if (loop.line > 0) found.push_back(std::move(loop));
        } else if (!open_.empty()) {
            remark(text);
        }
    }
    void finish(std::vector<ReportedLoop> &found) {
        while (!open_.empty())
            close(found);
    }

private:
    void remark(std::string_view text) {
        const std::size_t colon = text.find(": ");
        if (!text.starts_with("remark #") || colon == std::string_view::npos) return;
        const std::string_view words = text.substr(colon + 2);
        const std::string small = in_lower_case(words);
        const bool vectorised = holds(small, "loop was vectorized");
        const bool threaded =
            holds_one_of(small, {"loop was parallelized", "loop was auto-parallelized", "outlined parallel loop"});
        const bool said = vectorised || holds(small, "was not vectorized");
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

// Whether a path is the wanted one or ends with it.
bool is_file(const std::string &path, const std::string &wanted) {
    return path == wanted || path.ends_with("/" + wanted);
}

std::string the_file(const std::vector<ReportedLoop> &loops, const std::string &wanted) {
    std::vector<std::string> files;
    for (const ReportedLoop &loop : loops) {
        if ((wanted.empty() || is_file(loop.file, wanted)) && std::ranges::count(files, loop.file) == 0)
            files.push_back(loop.file);
    }
    if (files.size() == 1) return files.front();
    if (files.empty()) {
        throw std::runtime_error(wanted.empty()
                                     ? "says nothing of loops: is it made with -fopt-info-vec-all (gcc), "
                                       "-Rpass=loop-vectorize -Rpass-missed=loop-vectorize (clang) or -qopt-report "
                                       "(Intel)?"
                                     : fmt::format("says nothing of loops in '{}'", excerpt(wanted, 200)));
    }
    throw std::runtime_error(fmt::format("is of several files: write {}, or another of them",
                                         shell_option("--lines", files.front() + ":FIRST-LAST")));
}

} // namespace

std::vector<ReportedLoop> reported_loops(std::string_view report) {
    IntelReport intel;
    std::vector<ReportedLoop> found;
    while (!report.empty()) {
        const std::size_t end = std::min(report.find('\n'), report.size());
        if (auto loop = remark_in(report.substr(0, end))) found.push_back(std::move(*loop));
        intel.read(report.substr(0, end), found);
        report.remove_prefix(std::min(end + 1, report.size()));
    }
    intel.finish(found);

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
    const auto vectorised = std::ranges::count(loops, true, &ReportedLoop::vectorised);
    return vectorised > 0 && std::cmp_less(vectorised, loops.size());
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
