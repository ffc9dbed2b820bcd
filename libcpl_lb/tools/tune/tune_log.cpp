// Writes and reads the log of cpl-lb tune.
#include "tools/tune/tune_log.hpp"

#include "io/files/csv_table.hpp"
#include "io/files/result_file.hpp"
#include "support/csv_cells.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace cpl_lb {
namespace {

constexpr std::array<const char *, 4> state_names = {"asked", "taken", "refused", "stop"};

TuneState state_of(const CsvTable &table, std::size_t row) {
    const auto *const found = std::find(state_names.begin(), state_names.end(), table.text(row, "state"));
    if (found == state_names.end()) throw table.wrong(row, "state", "not one of asked, taken, refused, stop");
    return static_cast<TuneState>(found - state_names.begin());
}

std::string text_or_nothing(const CsvTable &table, std::size_t row, const char *column) {
    return table.is_empty(row, column) ? "" : table.text(row, column);
}

std::string number_or_nothing(double value) {
    return is_known(value) ? fmt::format("{:.6g}", value) : "";
}

} // namespace

const char *name_of(TuneState state) {
    return state_names.at(static_cast<std::size_t>(state));
}

std::string in_words(const NamedCounts &counts) {
    std::vector<std::string> words;
    for (const auto &[name, count] : counts)
        words.push_back(name + "=" + std::to_string(count));
    return joined(words, ",");
}

NamedCounts named_counts(const std::string &what, const std::string &text) {
    NamedCounts counts;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t sign = part.rfind('=');
        const std::string name = part.substr(0, sign);
        std::int64_t n = 0;
        const char *const end = part.data() + part.size();
        const char *const begin = sign == std::string::npos ? end : part.data() + sign + 1;
        const auto [stop, error] = std::from_chars(begin, end, n);
        if (name.empty() || error != std::errc{} || stop != end || n < 1 || n > 1'000'000'000)
            throw std::invalid_argument(what + ": not COMPONENT=PROCESSES: '" + part + "'");
        if (std::ranges::find(counts, name, &NamedCounts::value_type::first) != counts.end())
            throw std::invalid_argument(what + ": '" + name + "' is given twice");
        counts.emplace_back(name, n);
    }
    if (counts.empty()) throw std::invalid_argument(what + ": nothing is given");
    return counts;
}

std::vector<TuneRow> read_tune_log(const std::string &path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return {};
    const CsvTable table = CsvTable::from_file(path);
    table.require(
        {"state", "folder", "run_id", "processes", "cycle_s", "error_s", "expected_s", "left_percent", "why"});
    std::vector<TuneRow> rows;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        TuneRow one;
        one.state = state_of(table, row);
        one.folder = text_or_nothing(table, row, "folder");
        one.run_id = text_or_nothing(table, row, "run_id");
        try {
            if (!table.is_empty(row, "processes") || one.state != TuneState::refused)
                one.processes = named_counts("processes", table.text(row, "processes"));
        } catch (const std::invalid_argument &wrong) {
            throw table.wrong(row, "processes", wrong.what());
        }
        one.cycle_s = table.known_or_nan(row, "cycle_s");
        one.error_s = table.known_or_nan(row, "error_s");
        one.expected_s = table.known_or_nan(row, "expected_s");
        one.left = table.known_or_nan(row, "left_percent") / 100;
        one.words = text_or_nothing(table, row, "why");
        if (one.state == TuneState::taken && one.folder.empty())
            throw table.wrong(row, "folder", "a run that was taken must have it");
        rows.push_back(std::move(one));
    }
    return rows;
}

void write_tune_log(const std::string &path, const std::vector<TuneRow> &rows) {
    std::string text = "# cpl-lb tune: a row for each run; the folders must stay, the next call reads them again\n"
                       "run,state,folder,run_id,processes,cycle_s,error_s,expected_s,left_percent,why\n";
    std::size_t run = 0;
    for (const TuneRow &row : rows) {
        text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", ++run, name_of(row.state), quoted_csv_cell(row.folder),
                            quoted_csv_cell(row.run_id), quoted_csv_cell(in_words(row.processes)),
                            number_or_nothing(row.cycle_s), number_or_nothing(row.error_s),
                            number_or_nothing(row.expected_s), number_or_nothing(100 * row.left),
                            quoted_csv_cell(row.words));
    }
    write_result_file(path, text);
}

} // namespace cpl_lb
