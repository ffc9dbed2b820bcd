// Writes one csv line for each event and process.
#include "export/csv.hpp"

#include "support/csv_cells.hpp"
#include "support/fmt.hpp"

namespace cpl_lb {
std::string exact_seconds(Nanoseconds t) {
    const auto size = t < 0 ? 0U - static_cast<std::uint64_t>(t) : static_cast<std::uint64_t>(t);
    return fmt::format("{}{}.{:09}", t < 0 ? "-" : "", size / 1'000'000'000U, size % 1'000'000'000U);
}

CsvSink::CsvSink(const std::string &path, const CoupledRun &run) : file_(path), run_(run) {
    file_.text("component,process,rank,kind,field,counterpart,date,start_s,stop_s\n");
}

void CsvSink::row(const Component &component, std::int64_t process, const Row &row) {
    const auto p = static_cast<std::size_t>(process);
    const std::string head = fmt::format("{},{},{}", csv_cell(component.name), process,
                                         p < component.ranks.size() ? std::to_string(component.ranks[p]) : "");
    std::string lines;
    for (std::size_t k = 0; k < row.start.size(); ++k) {
        if (row.start[k] == absent) continue;
        const EventKey &key = component.table.keys[k];
        const std::string field =
            key.field > 0 ? csv_cell(run_.field_names[static_cast<std::size_t>(key.field) - 1]) : std::string();
        const std::string other =
            key.counterpart > 0 ? csv_cell(run_.component_name(key.counterpart)) : std::string();
        lines += fmt::format("{},{},{},{},{},{},{}\n", head, name_of(key.kind), field, other,
                             key.date == no_date ? std::string() : std::to_string(key.date),
                             exact_seconds(row.start[k]), exact_seconds(row.stop[k]));
    }
    file_.text(lines);
}

} // namespace cpl_lb
