// Runs to SQLite and back.
#include "history/history_file.hpp"
#include "history/database.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"
#include "io/files/output_target.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sstream>
#include <system_error>
#include <tuple>
#include <unistd.h>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

constexpr int schema = 1;
constexpr const char *tables = R"(
CREATE TABLE IF NOT EXISTS runs (
  key TEXT PRIMARY KEY, name TEXT, submitted TEXT, started TEXT, ended TEXT, folder TEXT, platform TEXT, slow_side TEXT,
  cores INTEGER, wall_s REAL, simulated_s REAL, sypd REAL, asypd REAL, chsy REAL, jpsy REAL, energy_J REAL,
  waiting_share REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS components (
  run TEXT REFERENCES runs(key), place INTEGER, name TEXT, cores INTEGER, step_s REAL, computing_s REAL, waiting_s REAL,
  memory_B REAL, is_io_server INTEGER, PRIMARY KEY (run, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imbalance (
  run TEXT REFERENCES runs(key), place INTEGER, processes INTEGER, nodes INTEGER, total_s REAL, same_processes_s REAL,
  same_nodes_s REAL, moving_s REAL, some_steps_s REAL, random_s REAL, late_node TEXT, late_node_process INTEGER,
  node_names TEXT, PRIMARY KEY (run, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS inside (
  run TEXT REFERENCES runs(key), place INTEGER, messages REAL, bytes REAL, late_process INTEGER, late_share REAL,
  PRIMARY KEY (run, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS startup (
  run TEXT PRIMARY KEY REFERENCES runs(key), startup_s REAL, members INTEGER, member_startup_s REAL) WITHOUT ROWID;
)";

std::int64_t number_from(const Database &database, const char *question, const std::string &name = {}) {
    Statement statement(database, question);
    if (!name.empty()) statement.ask(name);
    std::int64_t number = 0;
    if (statement.step()) statement.read(number);
    return number;
}

// No tables: a job has only begun to make it.
bool is_empty(const Database &database) {
    return number_from(database, "SELECT count(*) FROM sqlite_master") == 0;
}

void expect_version(const Database &database) {
    const std::int64_t version = number_from(database, "PRAGMA user_version");
    if (version > schema) {
        throw FileError(database.path(), fmt::format("was made by a newer cpl-lb: version {} of the file, this one "
                                                     "knows {}",
                                                     version, schema));
    }
    // A database of somebody else has tables, and no version of ours.
    if (version == 0 && !is_empty(database))
        throw FileError(database.path(), "is a database, but no history of cpl-lb");
}

// Files of 0.2 have neither `imbalance` nor `inside`, those of 0.3 no `startup`.
bool has_table(const Database &database, const std::string &name) {
    return number_from(database, "SELECT count(*) FROM sqlite_master WHERE name = ?1", name) > 0;
}

// A database of somebody's making may have a view under these names, which goes on for ever, or columns that are
// worked out and have any length.
void expect_tables(const Database &database) {
    for (const std::string name : {"runs", "components", "imbalance", "inside", "startup"}) {
        if (name != "runs" && name != "components" && !has_table(database, name)) continue;
        const bool is_table =
            number_from(database,
                        "SELECT count(*) FROM sqlite_master WHERE name = ?1 AND type = 'table' AND sql NOT "
                        "LIKE 'create virtual%'",
                        name) == 1;
        const bool is_plain =
            number_from(database, "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0", name) == 0;
        if (!is_table || !is_plain)
            throw FileError(database.path(), fmt::format("is no history of cpl-lb: {} is no table of its own", name));
    }
}

// Each row takes more bytes than that: damaged pages may refer to one another, and come again and again.
constexpr std::uintmax_t row_bytes = 8;

void expect_row(const Database &database, std::uintmax_t row) {
    std::error_code error;
    if (row * row_bytes > fs::file_size(database.path(), error) || error)
        throw Damaged(database.path(), "holds more rows than a file of its size can");
}

// The columns of each table after its key, in their order, to be written and read.
auto columns_of_run(auto &run) {
    return std::tie(run.name, run.submitted, run.started, run.ended, run.folder, run.platform, run.slow_side,
                    run.cores, run.wall_s, run.simulated_s, run.sypd, run.asypd, run.chsy, run.jpsy, run.energy_J,
                    run.waiting_share);
}
auto columns_of_component(auto &c) {
    return std::tie(c.name, c.cores, c.step_s, c.computing_s, c.waiting_s, c.memory_B, c.is_io_server);
}
// node_names: as one text.
auto columns_of_imbalance(auto &i, auto &node_names) {
    return std::tie(i.processes, i.nodes, i.total_s, i.processes_s, i.nodes_s, i.moving_s, i.steps_s, i.random_s,
                    i.late_node, i.late_node_process, node_names);
}
auto columns_of_inside(auto &i) {
    return std::tie(i.messages, i.bytes, i.late_process, i.late_share);
}
auto columns_of_startup(auto &s) {
    return std::tie(s.startup_s, s.members, s.member_startup_s);
}

template <class... Key>
void insert_row(Statement &to, const auto &columns, const Key &...key) {
    std::apply([&](const auto &...values) { to.ask(key..., values...); }, columns);
    to.step();
}

void read_columns(Statement &row, const auto &columns) {
    std::apply([&](auto &...values) { row.read(values...); }, columns);
}

std::size_t insert(Database &database, const std::vector<RunRecord> &runs) {
    Statement run(database, "INSERT OR IGNORE INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    Statement component(database, "INSERT INTO components VALUES (?,?,?,?,?,?,?,?,?)");
    Statement imbalance(database, "INSERT OR IGNORE INTO imbalance VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    Statement inside(database, "INSERT OR IGNORE INTO inside VALUES (?,?,?,?,?,?)");
    Statement startup(database, "INSERT OR IGNORE INTO startup VALUES (?,?,?,?)");
    std::size_t added = 0;
    for (const RunRecord &r : runs) {
        insert_row(run, columns_of_run(r), r.key);
        const bool is_new = database.changes() > 0;
        added += is_new ? 1 : 0;
        insert_row(startup, columns_of_startup(r.startup), r.key);
        for (std::int64_t place = 0; const ComponentRecord &c : r.components) {
            if (is_new) insert_row(component, columns_of_component(c), r.key, place);
            // Nothing is kept of what is not known.
            const std::string node_names = joined(c.imbalance.node_names, " ");
            if (is_known(c.imbalance.total_s))
                insert_row(imbalance, columns_of_imbalance(c.imbalance, node_names), r.key, place);
            if (c.inside.known()) insert_row(inside, columns_of_inside(c.inside), r.key, place);
            ++place;
        }
    }
    return added;
}

std::size_t add(const std::string &path, const std::vector<RunRecord> &runs) {
    Database database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    database.run("BEGIN IMMEDIATE"); // an exception closes the database, which takes it back
    expect_version(database);
    database.run(tables);
    database.run(fmt::format("PRAGMA user_version = {}", schema).c_str());
    const std::size_t added = insert(database, runs);
    database.run("COMMIT");
    if (database.was_renamed()) throw Damaged(path, "was renamed by another job");
    return added;
}

std::string free_name(const std::string &path) {
    for (int i = 1;; ++i) {
        std::string name = fmt::format("{}.damaged{}", path, i == 1 ? "" : fmt::format("-{}", i));
        std::error_code error;
        if (!fs::exists(name, error)) return name;
    }
}

// One process at a time, by a file that is there only while somebody has or wants the lock.
class LockedBeside {
public:
    explicit LockedBeside(const std::string &path) : path_(path + ".lock") {
        do {
            file_ = FileHandle(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666));
            struct ::flock whole {};
            whole.l_type = F_WRLCK;
            int code = file_.descriptor() < 0 ? -1 : 0;
            while (code == 0 && (code = ::fcntl(file_.descriptor(), F_SETLKW, &whole)) != 0 && errno == EINTR)
                code = 0;
            if (code != 0) throw FileError(path_, "cannot be locked: " + std::generic_category().message(errno));
        } while (!file_.is_at(path_)); // who had it before has removed it
    }
    ~LockedBeside() { ::unlink(path_.c_str()); }
    LockedBeside(const LockedBeside &) = delete;
    LockedBeside &operator=(const LockedBeside &) = delete;

private:
    std::string path_;
    FileHandle file_;
};

// Several jobs may have found the damage: the first of them renames the file, the others find a good one.
AddedRuns begin_anew(const std::string &path, const std::vector<RunRecord> &runs) {
    const LockedBeside lock(path);
    AddedRuns result;
    try {
        result.added = add(path, runs);
    } catch (const Damaged &) {
        result.damaged = free_name(path);
        std::error_code error;
        fs::rename(path, result.damaged, error);
        if (error) throw FileError(path, "is damaged, and cannot be renamed: " + error.message());
        result.added = add(path, runs);
    }
    return result;
}

std::vector<std::string> separated(const std::string &text) {
    std::vector<std::string> names;
    std::istringstream words(text);
    for (std::string name; words >> name && names.size() < most_nodes_kept;)
        names.push_back(name);
    return names;
}

void read_components(const Database &database, const std::map<std::string, std::size_t> &places,
                     std::vector<RunRecord> &runs) {
    const bool imbalance = has_table(database, "imbalance"), inside = has_table(database, "inside");
    const std::string question =
        std::string("SELECT run, name, cores, step_s, computing_s, waiting_s, memory_B, is_io_server, ") +
        (imbalance ? "processes, nodes, total_s, same_processes_s, same_nodes_s, moving_s, some_steps_s, random_s, "
                     "late_node, late_node_process, node_names, "
                   : "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, ") +
        (inside ? "messages, bytes, late_process, late_share " : "NULL, NULL, NULL, NULL ") + "FROM components " +
        (imbalance ? "LEFT JOIN imbalance USING (run, place) " : "") +
        (inside ? "LEFT JOIN inside USING (run, place) " : "") + "ORDER BY run, place";
    Statement component(database, question.c_str());
    std::uintmax_t bytes = 0;
    for (std::uintmax_t row = 1; component.step(); ++row) {
        expect_row(database, row + bytes / row_bytes);
        std::string key, node_names;
        ComponentRecord c;
        component.read(key);
        read_columns(component, columns_of_component(c));
        read_columns(component, columns_of_imbalance(c.imbalance, node_names));
        read_columns(component, columns_of_inside(c.inside));
        const auto of = places.find(key);
        if (of == places.end()) continue;
        c.imbalance.node_names = separated(node_names);
        if (!(c.inside.late_share > 0)) c.inside.late_process = -1;
        for (const std::string &name : c.imbalance.node_names)
            bytes += name.size();
        runs[of->second].components.push_back(std::move(c));
    }
}

} // namespace

AddedRuns add_to_history(const std::string &path, const std::vector<RunRecord> &runs) {
    // Where others may write into the folder, they could lead it to a database of another program.
    if (!output_target(path).remark.empty()) throw FileError(path, "is a link that belongs to another user");
    AddedRuns result;
    try {
        result.added = add(path, runs);
    } catch (const Damaged &) {
        result = begin_anew(path, runs);
    }
    result.known_before = runs.size() - result.added;
    return result;
}

std::vector<RunRecord> read_history(const std::string &path) {
    if (std::error_code error; !fs::exists(path, error))
        throw FileError(path, "there is no such file: cpl-lb history add makes it");
    Database database(path, SQLITE_OPEN_READONLY);
    expect_version(database);
    std::vector<RunRecord> runs;
    if (is_empty(database)) return runs;
    expect_tables(database);
    std::map<std::string, std::size_t> places;
    const bool startup = has_table(database, "startup");
    const std::string question =
        std::string("SELECT key, name, submitted, started, ended, folder, platform, slow_side, cores, wall_s, "
                    "simulated_s, sypd, asypd, chsy, jpsy, energy_J, waiting_share, ") +
        (startup ? "startup.run IS NOT NULL, startup_s, members, member_startup_s FROM runs LEFT JOIN startup ON "
                   "startup.run = runs.key "
                 : "0, NULL, 0, NULL FROM runs ") +
        "ORDER BY started = '', started, key";
    Statement run(database, question.c_str());
    while (run.step()) {
        expect_row(database, runs.size() + 1);
        RunRecord r;
        run.read(r.key);
        read_columns(run, columns_of_run(r));
        run.read(r.startup.kept);
        read_columns(run, columns_of_startup(r.startup));
        r.startup.members = std::max<std::int64_t>(r.startup.members, 0);
        places[r.key] = runs.size();
        runs.push_back(std::move(r));
    }
    read_components(database, places, runs);
    return runs;
}

} // namespace cpl_lb
