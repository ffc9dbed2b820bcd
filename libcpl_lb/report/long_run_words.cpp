// Says what the start-up costs in this run, and in a long run.
#include "report/long_run_words.hpp"

#include "analysis/long_run.hpp"
#include "report/format.hpp"
#include "report/slow_side_words.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

namespace cpl_lb {
namespace {

std::string work_in_words(const LongRun &found) {
    if (found.work == StartupWork::not_known) return "";
    const Sentence part = found.work == StartupWork::setup   ? Sentence::part_startup_setup
                          : found.work == StartupWork::files ? Sentence::part_startup_files
                                                             : Sentence::part_startup_exchanges;
    return say(part, {{"seconds", fmt::format("{:.3g}", found.work_s)}});
}

std::string mpi_in_words(const LongRun &found) {
    if (!is_known(found.mpi_s)) return "";
    return say(found.work == StartupWork::not_known ? Sentence::part_startup_mpi : Sentence::part_startup_mpi_too,
               {{"seconds", fmt::format("{:.3g}", found.mpi_s)}});
}

std::string year_in_words(const LongRun &found) {
    return say(Sentence::part_year,
               {{"year", duration_in_words(found.year_s)}, {"startup", duration_in_words(found.startup_s)}});
}

} // namespace

std::string duration_in_words(double seconds) {
    if (!(seconds >= 0)) return "n/a";
    if (seconds < 100) return fmt::format("{:.2g} s", seconds);
    if (seconds < 5400) return fmt::format("{:.2g} min", seconds / 60);
    if (seconds < 172'800) return fmt::format("{:.2g} h", seconds / 3600);
    return fmt::format("{:.0f} days", seconds / 86'400);
}

std::string startup_sentence(const CoupledRun &run) {
    const LongRun found = long_run_of(run);
    if (!(found.startup_s >= startup_told_from * run.run.wall_s)) return "";
    std::string text = say(Sentence::startup, {{"seconds", fmt::format("{:.3g}", found.startup_s)},
                                               {"share", share_in_words(found.startup_s / run.run.wall_s)},
                                               {"name", name_in_words(run, found.last)},
                                               {"what", work_in_words(found) + mpi_in_words(found)},
                                               {"year", is_known(found.year_s) ? year_in_words(found) : ""}});
    return text;
}

std::string long_run_lines(const CoupledRun &run) {
    const LongRun found = long_run_of(run);
    if (!is_known(found.year_s)) return "";
    return "Speed of the coupling loop alone (SYPD): " + number_text(found.loop_sypd) +
           "; of the run: " + number_text(run.cpmip.sypd) + "\n" +
           wrapped("A simulated year in one job: " + duration_in_words(found.year_s) + ", of which start-up " +
                       duration_in_words(found.startup_s) + " and shut-down " + duration_in_words(found.shutdown_s),
                   text_columns);
}

} // namespace cpl_lb
