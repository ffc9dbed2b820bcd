// Figure 3 of Kim, Larson and Chiu 2012 on a table of the user's.
#include "io/files/csv_table.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "tools/manager/manager_output.hpp"

#include <algorithm>
#include <array>

namespace cpl_lb {
namespace {

constexpr double tolerance_s = 1e-9;

std::vector<LoopTimings> read_loops(const CsvTable &table, std::vector<std::string> &components) {
    table.require({"component", "first_computing_s", "first_coupling_s", "last_computing_s", "last_coupling_s",
                   "partner", "partner_between_s"});
    for (std::size_t row = 0; row < table.rows(); ++row)
        components.push_back(table.text(row, "component"));
    std::vector<LoopTimings> loops;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto partner = std::find(components.begin(), components.end(), table.text(row, "partner"));
        if (partner == components.end() || *partner == components[row])
            throw table.wrong(row, "partner", "not the name of another component of the table");
        loops.push_back({table.not_negative(row, "first_computing_s"), table.not_negative(row, "first_coupling_s"),
                         table.not_negative(row, "last_computing_s"), table.not_negative(row, "last_coupling_s"),
                         static_cast<std::size_t>(partner - components.begin()),
                         table.not_negative(row, "partner_between_s")});
    }
    return loops;
}

JsonTree as_json(const LoopTimings &loop) {
    return {{"first_computing_s", loop.first_computing_s},
            {"first_coupling_s", loop.first_coupling_s},
            {"last_computing_s", loop.last_computing_s},
            {"last_coupling_s", loop.last_coupling_s}};
}

} // namespace

std::string loops_in_one_cycle(const std::string &path, bool json) {
    std::vector<std::string> components;
    const std::vector<LoopTimings> measured = read_loops(CsvTable::from_file(path), components);
    std::vector<LoopTimings> loops = measured;
    convert_to_cycle(loops, tolerance_s);
    JsonTree root = {{"components", JsonTree::array()}};
    TextTable table;
    table.row({"component", "first computing [s]", "coupling [s]", "last computing [s]", "coupling [s]"});
    for (std::size_t c = 0; c < loops.size(); ++c) {
        root["components"].push_back(
            {{"name", components[c]}, {"measured", as_json(measured[c])}, {"of_cycle", as_json(loops[c])}});
        for (const LoopTimings *loop : std::array<const LoopTimings *, 2>{&measured[c], &loops[c]}) {
            table.row({loop == &measured[c] ? short_name(components[c], 30) : "  in the cycle",
                       number_text(loop->first_computing_s), number_text(loop->first_coupling_s),
                       number_text(loop->last_computing_s), number_text(loop->last_coupling_s)});
        }
    }
    return json ? root.dump(2) + "\n" : table.text();
}

} // namespace cpl_lb
