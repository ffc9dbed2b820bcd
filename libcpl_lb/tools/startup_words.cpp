// The words are the same for runs in folders and for runs in a history.
#include "tools/startup_words.hpp"

#include "report/format.hpp"
#include "support/fmt.hpp"

#include <cstddef>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t most_counts_named = 8;

// "10, 20, 40 members"; of many "10 to 200 members".
std::string counts_in_words(const std::vector<std::int64_t> &members) {
    std::string list;
    for (const std::int64_t count : members)
        list += (list.empty() ? "" : ", ") + count_text(count);
    if (members.size() > most_counts_named) list = count_text(members.front()) + " to " + count_text(members.back());
    return list + " members";
}

} // namespace

std::string startup_as_text(const StartupOfRuns &startup) {
    if (startup.runs.size() < 2) return "";
    std::string text;
    if (is_known(startup.growth_s)) {
        text += wrapped(fmt::format("Start-up grows by {} s for each member (runs with {}).",
                                    number_text(startup.growth_s), counts_in_words(startup.members)),
                        80);
    } else if (startup.members.size() >= least_member_counts) {
        text += wrapped(fmt::format("No line shows that start-up grows with the members (runs with {}).",
                                    counts_in_words(startup.members)),
                        80);
    } else {
        text += wrapped("How start-up grows with the members: n/a (it takes runs with three different numbers of "
                        "members, whose start-up is known).",
                        80);
    }
    TextTable table;
    table.row({"Run", "members", "start-up {s}"});
    for (const StartupOfRun &run : startup.runs)
        table.row({short_name(run.name, 40), count_text(run.members), InSeconds{run.startup_s}});
    return text + "\n" + table.text();
}

} // namespace cpl_lb
