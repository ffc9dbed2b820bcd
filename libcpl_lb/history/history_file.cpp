// Runs to SQLite and back.
#include "history/history_file.hpp"

#include "io/files/file_error.hpp"
#include "io/files/output_target.hpp"
#include "support/fmt.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <sqlite3.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

constexpr int schema = 1;
constexpr int patience_ms = 60'000;
constexpr const char *tables = R"(
CREATE TABLE IF NOT EXISTS runs (
  key TEXT PRIMARY KEY, name TEXT, submitted TEXT, started TEXT, ended TEXT, folder TEXT, platform TEXT, slow_side TEXT,
  cores INTEGER, wall_s REAL, simulated_s REAL, sypd REAL, asypd REAL, chsy REAL, jpsy REAL, energy_J REAL,
  waiting_share REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS components (
  run TEXT REFERENCES runs(key), place INTEGER, name TEXT, cores INTEGER, step_s REAL, computing_s REAL, waiting_s REAL,
  memory_B REAL, is_io_server INTEGER, PRIMARY KEY (run, place)) WITHOUT ROWID;
)";

// What SQLite says, as one of our errors; told apart: a file that is damaged, or that another job renamed as such.
class Damaged : public FileError {
public:
    using FileError::FileError;
};

class Database {
public:
    Database(std::string path, int flags) : path_(std::move(path)) {
        // SQLite would wait for who writes a pipe.
        if (std::error_code error; fs::is_other(path_, error)) throw FileError(path_, "is not a regular file");
        const int code = sqlite3_open_v2(path_.c_str(), &handle_, flags, nullptr);
        sqlite3_extended_result_codes(handle_, 0);
        if (code != SQLITE_OK) fail_and_close(code);
        sqlite3_busy_timeout(handle_, patience_ms);
        sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, 1 << 20); // of a text: names, folders
    }
    ~Database() { sqlite3_close(handle_); }
    Database(const Database &) = delete;
    Database &operator=(const Database &) = delete;

    void run(const char *sql) { expect(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr)); }
    void expect(int code) const {
        if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
        const std::string what = sqlite3_errmsg(handle_);
        fail(code, what);
    }
    [[nodiscard]] sqlite3 *handle() const { return handle_; }
    [[nodiscard]] const std::string &path() const { return path_; }
    // By another job, since it was opened.
    [[nodiscard]] bool was_renamed() const {
        int moved = 0;
        return handle_ != nullptr &&
               sqlite3_file_control(handle_, nullptr, SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
    }
    [[nodiscard]] int changes() const { return sqlite3_changes(handle_); }

private:
    void fail_and_close(int code) {
        const std::string what = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_);
        sqlite3_close(handle_);
        handle_ = nullptr;
        fail(code, what);
    }
    // A file that never was a history is somebody's.
    [[noreturn]] void fail(int code, const std::string &what) const {
        constexpr std::string_view mark = "SQLite format 3";
        std::string begin(mark.size(), ' ');
        std::ifstream file(path_, std::ios::binary);
        file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
        const bool was_ours = begin == mark || file.gcount() == 0; // 0: the new one is only begun
        if (((code == SQLITE_CORRUPT || code == SQLITE_NOTADB) && was_ours) || was_renamed())
            throw Damaged(path_, what);
        throw FileError(path_, code == SQLITE_NOTADB ? "is no history of cpl-lb" : what);
    }

    std::string path_;
    sqlite3 *handle_ = nullptr;
};

// One statement, used again and again.
class Statement {
public:
    Statement(const Database &database, const char *sql) : database_(database) {
        database_.expect(sqlite3_prepare_v2(database_.handle(), sql, -1, &handle_, nullptr));
    }
    ~Statement() { sqlite3_finalize(handle_); }
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;

    Statement &bind(const std::string &value) {
        database_.expect(sqlite3_bind_text(handle_, ++place_, value.data(), static_cast<int>(value.size()),
                                           SQLITE_TRANSIENT)); // NOLINT
        return *this;
    }
    Statement &bind(std::int64_t value) {
        database_.expect(sqlite3_bind_int64(handle_, ++place_, value));
        return *this;
    }
    Statement &bind(double value) { // NaN is NULL
        database_.expect(sqlite3_bind_double(handle_, ++place_, value));
        return *this;
    }
    bool step() {
        const int code = sqlite3_step(handle_);
        database_.expect(code);
        column_ = 0;
        return code == SQLITE_ROW;
    }
    void begin_again() {
        sqlite3_reset(handle_);
        place_ = 0;
    }
    std::string text() {
        const auto *const value = sqlite3_column_text(handle_, column_);
        const int bytes = sqlite3_column_bytes(handle_, column_++);
        return value == nullptr ? ""
                                : std::string(reinterpret_cast<const char *>(value), static_cast<std::size_t>(bytes));
    }
    std::int64_t whole() { return sqlite3_column_int64(handle_, column_++); }
    double number() {
        const int column = column_++;
        return sqlite3_column_type(handle_, column) == SQLITE_NULL ? unknown : sqlite3_column_double(handle_, column);
    }

private:
    const Database &database_;
    sqlite3_stmt *handle_ = nullptr;
    int place_ = 0, column_ = 0;
};

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

// A database of somebody's making may have a view under these names, which goes on for ever, or columns that are
// worked out and have any length.
void expect_tables(const Database &database) {
    for (const char *name : {"runs", "components"}) {
        Statement ask(database,
                      "SELECT (SELECT count(*) FROM sqlite_master WHERE name = ?1 AND type = 'table' AND sql NOT "
                      "LIKE 'create virtual%'), (SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0)");
        ask.bind(std::string(name));
        if (ask.step() && ask.whole() == 1 && ask.whole() == 0) continue;
        throw FileError(database.path(), fmt::format("is no history of cpl-lb: {} is no table of its own", name));
    }
}

// Each row takes more bytes than that: damaged pages may refer to one another, and come again and again.
void expect_row(const Database &database, std::uintmax_t row) {
    constexpr std::uintmax_t row_bytes = 8;
    std::error_code error;
    if (row * row_bytes > fs::file_size(database.path(), error) || error)
        throw Damaged(database.path(), "holds more rows than a file of its size can");
}

std::size_t insert(Database &database, const std::vector<RunRecord> &runs) {
    Statement run(database, "INSERT OR IGNORE INTO runs VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
    Statement component(database, "INSERT INTO components VALUES (?,?,?,?,?,?,?,?,?)");
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
        if (!is_new) continue;
        ++added;
        std::int64_t place = 0;
        for (const ComponentRecord &c : r.components) {
            component.bind(r.key).bind(place++).bind(c.name).bind(c.cores).bind(c.step_s).bind(c.computing_s);
            component.bind(c.waiting_s).bind(c.memory_B).bind(std::int64_t{c.is_io_server ? 1 : 0}).step();
            component.begin_again();
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
    Statement run(database,
                  "SELECT key, name, submitted, started, ended, folder, platform, slow_side, cores, wall_s, "
                  "simulated_s, sypd, asypd, chsy, jpsy, energy_J, waiting_share FROM runs "
                  "ORDER BY started = '', started, key");
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
        places[r.key] = runs.size();
        runs.push_back(std::move(r));
    }
    Statement component(database, "SELECT run, name, cores, step_s, computing_s, waiting_s, memory_B, is_io_server "
                                  "FROM components ORDER BY run, place");
    for (std::uintmax_t row = 1; component.step(); ++row) {
        expect_row(database, row);
        const auto of = places.find(component.text());
        if (of == places.end()) continue;
        ComponentRecord c;
        c.name = component.text();
        c.cores = component.whole();
        for (double *number : {&c.step_s, &c.computing_s, &c.waiting_s, &c.memory_B})
            *number = component.number();
        c.is_io_server = component.whole() != 0;
        runs[of->second].components.push_back(std::move(c));
    }
    return runs;
}

} // namespace cpl_lb
