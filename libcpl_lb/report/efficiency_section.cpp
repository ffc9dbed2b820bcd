// The tables of efficiencies, and of the time in MPI on which they are based.

#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

constexpr std::size_t columns = 80;

constexpr std::array<const char *, mpi_class_count> class_words = {"point to point", "collective", "one-sided",
                                                                   "files"};

constexpr const char *meanings = "total = coupling x inside, inside = load balance x communication\n"
                                 "coupling:      the loop without waiting for other components\n"
                                 "inside:        useful time (not in MPI) in what is left\n"
                                 "load balance:  mean useful time of the processes / the longest\n"
                                 "communication: the longest useful time / computing; the rest is MPI\n";

bool above_1(const Efficiency &e) {
    constexpr double clearly = 1.005;
    return e.inside > clearly || e.communication > clearly;
}

// Why there is no figure, or to which interval it belongs.
std::string notes(const CoupledRun &run) {
    std::string text;
    bool above = false;
    for (const Component &c : run.components) {
        above = above || above_1(efficiency_of(c));
        if (!c.inside.why_not.empty())
            text += wrapped("n/a: inside " + table_name(c) + ": " + safe_name(c.inside.why_not), columns);
        if (c.inside.known() && c.inside.of_whole_run) {
            text += wrapped(table_name(c) + " has no coupling loop: its figure for inside is of the whole run, " +
                                number_text(c.inside.length_s) + " s",
                            columns);
        }
    }
    if (above) {
        text += wrapped("Above 100: waiting is counted until the last process of a component has its message, but "
                        "other processes went on earlier.",
                        columns);
    }
    return text;
}

} // namespace

std::string efficiency_table(const CoupledRun &run) {
    if (!knows_inside(run)) return "";
    TextTable table;
    table.row({"Component", "total", "coupling", "inside", "load balance", "communication"});
    for (const Component &c : run.components) {
        const Efficiency e = efficiency_of(c);
        table.row({table_name(c), per_cent_text(e.total), per_cent_text(e.coupling), per_cent_text(e.inside),
                   per_cent_text(e.load_balance), per_cent_text(e.communication)});
    }
    const Efficiency e = efficiency_of(run);
    table.row({"All cores", per_cent_text(e.total), per_cent_text(e.coupling), per_cent_text(e.inside), "", ""});
    return table.text(text_columns) + meanings + notes(run);
}

SectionText mpi_table(const CoupledRun &run) {
    TextTable table({1});
    table.row({"Component", "what", "min", "mean", "max", "% of time", "calls in the run"});
    bool any = false;
    for (const Component &c : run.components) {
        const ComponentInside &inside = c.inside;
        if (!inside.known()) continue;
        any = true;
        const auto row = [&](const char *what, const Spread &s, const std::string &calls) {
            table.row({table_name(c), what, InSeconds{s.min}, InSeconds{s.mean()}, InSeconds{s.max},
                       per_cent_text(s.mean() / inside.length_s), calls});
        };
        row("useful", inside.useful_s, "");
        row("exchanges", inside.exchanges_s, "");
        for (std::size_t i = 0; i < mpi_class_count; ++i)
            if (inside.calls[i] > 0) row(class_words[i], inside.in_class_s[i], count_text(inside.calls[i]));
    }
    return any ? SectionText{table} : SectionText{};
}

} // namespace cpl_lb
