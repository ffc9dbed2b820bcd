// SQLite's C interface as two classes: a database, and a statement that is used again and again.
#pragma once

#include "data/time.hpp"
#include "io/files/file_error.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <utility>

namespace cpl_lb {

// What SQLite says, as one of our errors; told apart: a file that is damaged, or that another job renamed as such.
class Damaged : public FileError {
public:
    using FileError::FileError;
};

class Database {
public:
    static constexpr int patience_ms = 60'000;

    Database(std::string path, int flags) : path_(std::move(path)) {
        // SQLite would wait for who writes a pipe.
        if (std::error_code error; std::filesystem::is_other(path_, error))
            throw FileError(path_, "is not a regular file");
        const int code = sqlite3_open_v2(path_.c_str(), &handle_, flags, nullptr);
        sqlite3_extended_result_codes(handle_, 0);
        if (code != SQLITE_OK) {
            const std::string what = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_);
            sqlite3_close(std::exchange(handle_, nullptr));
            fail(code, what);
        }
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

    // The question with these values in place of its "?".
    template <class... Values>
    void ask(const Values &...values) {
        sqlite3_reset(handle_);
        place_ = 0;
        (bind(values), ...);
    }
    bool step() {
        const int code = sqlite3_step(handle_);
        database_.expect(code);
        column_ = 0;
        return code == SQLITE_ROW;
    }
    // The next columns of the row.
    template <class... Values>
    void read(Values &...values) {
        (take(values), ...);
    }

private:
    void bind(const std::string &value) {
        database_.expect(sqlite3_bind_text(handle_, ++place_, value.data(), static_cast<int>(value.size()),
                                           SQLITE_TRANSIENT)); // NOLINT
    }
    void bind(std::int64_t value) { database_.expect(sqlite3_bind_int64(handle_, ++place_, value)); }
    void bind(bool value) { bind(std::int64_t{value ? 1 : 0}); }
    // NaN is NULL.
    void bind(double value) { database_.expect(sqlite3_bind_double(handle_, ++place_, value)); }

    void take(std::string &value) {
        const auto *const text = sqlite3_column_text(handle_, column_);
        const int bytes = sqlite3_column_bytes(handle_, column_++);
        value.clear();
        if (text != nullptr) value.assign(reinterpret_cast<const char *>(text), static_cast<std::size_t>(bytes));
    }
    void take(std::int64_t &value) { value = sqlite3_column_int64(handle_, column_++); }
    void take(bool &value) { value = sqlite3_column_int64(handle_, column_++) != 0; }
    void take(double &value) {
        const int column = column_++;
        value =
            sqlite3_column_type(handle_, column) == SQLITE_NULL ? unknown : sqlite3_column_double(handle_, column);
    }

    const Database &database_;
    sqlite3_stmt *handle_ = nullptr;
    int place_ = 0, column_ = 0;
};

} // namespace cpl_lb
