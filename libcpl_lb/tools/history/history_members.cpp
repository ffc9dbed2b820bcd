// What a history says of separate jobs that are members of one ensemble.
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/history/history_output.hpp"

namespace cpl_lb {

std::string members_as_text(const RunMembers &members) {
    std::string text;
    const auto count = static_cast<std::int64_t>(members.of.size());
    if (members.spread.count > 0) {
        const std::string unit = members.by_speed ? "hours for a simulated year" : "s for a run";
        text = wrapped(fmt::format("{}: {} take {} to {} {}; slowest {}, fastest {}.", safe_name(members.name),
                                   counted(count, "job"), number_text(members.spread.min),
                                   number_text(members.spread.max), unit, safe_name(members.of[members.slowest].name),
                                   safe_name(members.of[members.fastest].name)),
                       80);
    }
    if (is_known(members.waiting_share)) {
        text += wrapped(fmt::format("Who needs all of them waits for the slowest: {} of their core time, if their "
                                    "cores were kept until then.",
                                    share_in_words(members.waiting_share)),
                        80);
    }
    TextTable table;
    table.row({"Job", "runs", "cores", "h/SY", "run {s}"});
    for (const RunMember &m : members.of)
        table.row({short_name(m.name, 40), count_text(m.runs), m.cores > 0 ? count_text(m.cores) : "n/a",
                   Decimal{m.year_h}, InSeconds{m.wall_s}});
    return text + "\n" + table.text();
}

std::string members_as_json(const RunMembers &members) {
    JsonTree of = JsonTree::array();
    for (const RunMember &m : members.of) {
        of.push_back({{"name", m.name},
                      {"runs", m.runs},
                      {"cores", m.cores > 0 ? JsonTree(m.cores) : JsonTree()},
                      {"year_h", JsonTree::number(m.year_h)},
                      {"wall_s", JsonTree::number(m.wall_s)}});
    }
    const bool known = members.spread.count > 0;
    const JsonTree root = {{"name", members.name},
                           {"by_speed", members.by_speed},
                           {"slowest", known ? JsonTree(members.of[members.slowest].name) : JsonTree()},
                           {"fastest", known ? JsonTree(members.of[members.fastest].name) : JsonTree()},
                           {"waiting_share", JsonTree::number(members.waiting_share)},
                           {"of", of}};
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
