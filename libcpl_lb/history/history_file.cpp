// Runs to SQLite and back.
#include "history/history_file.hpp"
#include "history/database.hpp"
#include "io/files/file_error.hpp"
#include "io/files/output_target.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
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

// No tables: a job has only begun to make it.
bool is_empty(const Database &database) {
    Statement tables(database, "SELECT count(*) FROM sqlite_master");
    return tables.step() && tables.whole() == 0;
}

void expect_version(Database &database) {
    int version = 0;
    {
        Statement ask(database, "PRAGMA user_version");
        if (ask.step()) version = static_cast<int>(ask.whole());
    }
    if (version > schema) {
        throw FileError(database.path(), fmt::format("was made by a newer cpl-lb: version {} of the file, this one "
                                                     "knows {}",
                                                     version, schema));
    }
    if (version == 0) {
        // A database of somebody else has tables, and no version of ours.
        if (!is_empty(database)) throw FileError(database.path(), "is a database, but no history of cpl-lb");
    }
}

// Files of 0.2 have neither `imbalance` nor `inside`, those of 0.3 no `startup`.
bool has_table(const Database &database, const char *name) {
    Statement ask(database, "SELECT count(*) FROM sqlite_master WHERE name = ?1");
    ask.bind(std::string(name));
    return ask.step() && ask.whole() > 0;
}

// A database of somebody's making may have a view under these names, which goes on for ever, or columns that are
// worked out and have any length.
void expect_tables(const Database &database) {
    for (const std::string_view view : {"runs", "components", "imbalance", "inside", "startup"}) {
        const char *const name = view.data();
        if (view != "runs" && view != "components" && !has_table(database, name)) continue;
        Statement ask(database,
                      "SELECT (SELECT count(*) FROM sqlite_master WHERE name = ?1 AND type = 'table' AND sql NOT "
                      "LIKE 'create virtual%'), (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0)");
        ask.bind(std::string(name));
        if (ask.step() && ask.whole() == 1 && ask.whole() == 0) continue;
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

std::string joined(const std::vector<std::string> &names) {
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : " ") + name;
    return text;
}

// Nothing is kept of what is not known.
void insert_imbalance(Statement &to, const std::string &run, std::int64_t place, const ImbalanceRecord &i) {
    if (!is_known(i.total_s)) return;
    to.bind(run).bind(place).bind(i.processes).bind(i.nodes).bind(i.total_s).bind(i.processes_s).bind(i.nodes_s);
    to.bind(i.moving_s).bind(i.steps_s).bind(i.random_s).bind(i.late_node).bind(i.late_node_process);
    to.bind(joined(i.node_names)).step();
    to.begin_again();
}

void insert_inside(Statement &to, const std::string &run, std::int64_t place, const InsideRecord &i) {
    if (!i.known()) return;
    to.bind(run).bind(place).bind(i.messages).bind(i.bytes).bind(i.late_process).bind(i.late_share).step();
    to.begin_again();
}

void insert_startup(Statement &to, const std::string &run, const StartupRecord &s) {
    to.bind(run).bind(s.startup_s).bind(s.members).bind(s.member_startup_s).step();
    to.begin_again();
}

std::size_t insert(Database &database, const std::vector<RunRecord> &runs) {
    Statement run(database, "INSERT OR IGNORE INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    Statement component(database, "INSERT INTO components VALUES (?,?,?,?,?,?,?,?,?)");
    Statement imbalance(database, "INSERT OR IGNORE INTO imbalance VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    Statement inside(database, "INSERT OR IGNORE INTO inside VALUES (?,?,?,?,?,?)");
    Statement startup(database, "INSERT OR IGNORE INTO startup VALUES (?,?,?,?)");
    std::size_t added = 0;
    for (const RunRecord &r : runs) {
        run.bind(r.key).bind(r.name).bind(r.submitted).bind(r.started).bind(r.ended).bind(r.folder).bind(r.platform);
        run.bind(r.slow_side)
            .bind(r.cores)
            .bind(r.wall_s)
            .bind(r.simulated_s)
            .bind(r.sypd)
            .bind(r.asypd)
            .bind(r.chsy);
        run.bind(r.jpsy).bind(r.energy_J).bind(r.waiting_share).step();
        const bool is_new = database.changes() > 0;
        run.begin_again();
        added += is_new ? 1 : 0;
        insert_startup(startup, r.key, r.startup);
        std::int64_t place = 0;
        for (const ComponentRecord &c : r.components) {
            if (is_new) {
                component.bind(r.key).bind(place).bind(c.name).bind(c.cores).bind(c.step_s).bind(c.computing_s);
                component.bind(c.waiting_s).bind(c.memory_B).bind(std::int64_t{c.is_io_server ? 1 : 0}).step();
                component.begin_again();
            }
            insert_imbalance(imbalance, r.key, place, c.imbalance);
            insert_inside(inside, r.key, place++, c.inside);
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
            close_file();
            file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
            struct ::flock whole {};
            whole.l_type = F_WRLCK;
            int code = file_ < 0 ? -1 : 0;
            while (code == 0 && (code = ::fcntl(file_, F_SETLKW, &whole)) != 0 && errno == EINTR)
                code = 0;
            if (code != 0) {
                const std::string why = std::strerror(errno); // NOLINT(concurrency-mt-unsafe): one thread
                close_file();
                throw FileError(path_, "cannot be locked: " + why);
            }
        } while (!is_still_there()); // who had it before has removed it
    }
    ~LockedBeside() {
        ::unlink(path_.c_str());
        close_file();
    }
    LockedBeside(const LockedBeside &) = delete;
    LockedBeside &operator=(const LockedBeside &) = delete;
    LockedBeside(LockedBeside &&) = delete;
    LockedBeside &operator=(LockedBeside &&) = delete;

private:
    [[nodiscard]] bool is_still_there() const {
        struct ::stat mine {
        }, there{};
        return ::fstat(file_, &mine) == 0 && ::stat(path_.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
               mine.st_dev == there.st_dev;
    }
    void close_file() {
        if (file_ >= 0) ::close(file_);
        file_ = -1;
    }

    std::string path_;
    int file_ = -1;
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

ImbalanceRecord read_imbalance(Statement &row) {
    ImbalanceRecord i;
    i.processes = row.whole();
    i.nodes = row.whole();
    for (double *number : {&i.total_s, &i.processes_s, &i.nodes_s, &i.moving_s, &i.steps_s, &i.random_s})
        *number = row.number();
    i.late_node = row.text();
    i.late_node_process = row.whole();
    i.node_names = separated(row.text());
    return i;
}

InsideRecord read_inside(Statement &row) {
    InsideRecord i;
    i.messages = row.number();
    i.bytes = row.number();
    const std::int64_t late = row.whole();
    i.late_share = row.number();
    if (i.late_share > 0) i.late_process = late;
    return i;
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
        const auto of = places.find(component.text());
        if (of == places.end()) continue;
        ComponentRecord c;
        c.name = component.text();
        c.cores = component.whole();
        for (double *number : {&c.step_s, &c.computing_s, &c.waiting_s, &c.memory_B})
            *number = component.number();
        c.is_io_server = component.whole() != 0;
        c.imbalance = read_imbalance(component);
        c.inside = read_inside(component);
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
        for (std::string *text :
             {&r.key, &r.name, &r.submitted, &r.started, &r.ended, &r.folder, &r.platform, &r.slow_side})
            *text = run.text();
        r.cores = run.whole();
        for (double *number :
             {&r.wall_s, &r.simulated_s, &r.sypd, &r.asypd, &r.chsy, &r.jpsy, &r.energy_J, &r.waiting_share})
            *number = run.number();
        r.startup.kept = run.whole() != 0;
        r.startup.startup_s = run.number();
        r.startup.members = std::max<std::int64_t>(run.whole(), 0);
        r.startup.member_startup_s = run.number();
        places[r.key] = runs.size();
        runs.push_back(std::move(r));
    }
    read_components(database, places, runs);
    return runs;
}

} // namespace cpl_lb
