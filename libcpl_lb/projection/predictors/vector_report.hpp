// The MV score of a block from the compiler's report on its loops (Modeling Assertions, section 3.1, which uses
// Cray's loopmark listings). gcc and gfortran: -fopt-info-loop-vec-all, or -fopt-info-vec-all; clang:
// -Rpass=loop-vectorize -Rpass-missed=loop-vectorize; Intel: -qopt-report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

struct ReportedLoop {
    std::string file; // as the compiler was given it
    int line = 0;
    bool vectorised = false;
    bool threaded = false; // in threads, as the compiler made it or was told to
    std::string words;     // what the compiler says, the first line of it
};
// Loops in the order of their files' first mention and of their lines; other lines of the report are left out.
[[nodiscard]] std::vector<ReportedLoop> reported_loops(std::string_view report);

struct MvScore {
    std::string mv; // "00", "01", "10", "11"; empty: the report has no loop there
    std::vector<ReportedLoop> loops;
    // Loops of the block that are not vectorised beside some that are: it should be split, unless they are the loops
    // around those.
    [[nodiscard]] bool is_mixed() const;
};
// The score of lines first to last of `file`: a path or the last part of one; empty if the report is of one file.
// threaded: the block runs in a parallel region of OpenMP, which reports do not tell. Throws std::runtime_error
// when the file is not in the report, or there are several.
[[nodiscard]] MvScore mv_score(const std::vector<ReportedLoop> &loops, const std::string &file, int first, int last,
                               bool threaded);

} // namespace cpl_lb
