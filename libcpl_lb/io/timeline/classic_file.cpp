// Walks through the header of a classic netCDF file and checks every length against the file's size.
#include "io/timeline/classic_file.hpp"

#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::uint64_t dimension_tag = 10, variable_tag = 11, attribute_tag = 12;
constexpr int last_type = 11;          // NC_UINT64
constexpr std::uint64_t text_type = 2; // NC_CHAR
constexpr std::array<std::uint64_t, last_type + 1> type_bytes = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};

// The grammar of the NetCDF Classic Format Specification; integers are big-endian.
class HeaderWalk {
public:
    explicit HeaderWalk(const std::string &path) : path_(path), file_(open_to_read(path)) {
        const off_t end = ::lseek(file_.descriptor(), 0, SEEK_END);
        bytes_ = end > 0 ? static_cast<std::uint64_t>(end) : 0;
    }

    // text: a global attribute that is wanted, too; empty: none.
    explicit HeaderWalk(const std::string &path, std::string text) : HeaderWalk(path) { wanted_ = std::move(text); }

    ClassicBegins walk() {
        version_ = number(4) & 0xffU; // 'C' 'D' 'F' version
        number(count_bytes());        // records
        for (std::uint64_t n = list(dimension_tag); n > 0; --n) {
            skip_text();
            dimensions_.push_back(number(count_bytes()));
        }
        global_attributes();
        for (std::uint64_t n = list(variable_tag); n > 0; --n)
            variable();
        return std::move(begins_);
    }
    // After walk().
    [[nodiscard]] const std::string &wanted_text() const { return text_; }

private:
    [[nodiscard]] std::uint64_t count_bytes() const { return version_ == 5 ? 8 : 4; }
    [[nodiscard]] std::uint64_t left() const { return bytes_ - at_; }
    [[noreturn]] void damaged() const { throw FileError(path_, "is damaged or truncated: its header does not fit"); }

    // The next bytes, at most a piece. Most headers are one piece: a system call for each number would take longer
    // than all else.
    std::span<const char> bytes(std::uint64_t length) {
        if (left() < length) damaged();
        if (at_ < held_at_ || at_ + length > held_at_ + held_.size()) {
            held_.resize(piece_bytes);
            held_.resize(read_at(file_.descriptor(), at_, std::as_writable_bytes(std::span(held_))));
            held_at_ = at_;
            if (held_.size() < length) damaged();
        }
        const std::span<const char> found = std::span(held_).subspan(at_ - held_at_, length);
        at_ += length;
        return found;
    }
    std::uint64_t number(std::uint64_t length) {
        const std::span<const char> raw = bytes(length);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < length; ++i)
            value = value << 8U | static_cast<unsigned char>(raw[i]);
        return value;
    }
    // A number of things of at least so many bytes each: they must fit into what is left.
    std::uint64_t count_of(std::uint64_t least_bytes) {
        const std::uint64_t count = number(count_bytes());
        if (count > left() / least_bytes) damaged();
        return count;
    }
    void skip(std::uint64_t length) {
        const std::uint64_t padded = (length + 3) / 4 * 4;
        if (padded > left()) damaged();
        at_ += padded;
    }
    void skip_text() { skip(count_of(1)); }
    std::string text() {
        const std::uint64_t length = count_of(1);
        if (length > piece_bytes) { // no variable of a timeline
            skip(length);
            return "";
        }
        const std::uint64_t padded = (length + 3) / 4 * 4;
        if (padded > left()) damaged();
        const std::span<const char> letters = bytes(length);
        at_ += padded - length;
        return {letters.begin(), letters.end()};
    }
    std::uint64_t list(std::uint64_t tag) {
        const std::uint64_t found = number(4);
        const std::uint64_t count = count_of(4);
        if (count > 0 && found != tag) damaged();
        return count;
    }
    std::uint64_t type() {
        const std::uint64_t value = number(4);
        if (value < 1 || value > last_type) damaged();
        return value;
    }
    void attributes() {
        for (std::uint64_t n = list(attribute_tag); n > 0; --n) {
            skip_text();
            skip_value(type());
        }
    }
    void skip_value(std::uint64_t of_type) {
        const std::uint64_t bytes = type_bytes[of_type];
        skip(count_of(bytes) * bytes);
    }
    // As netCDF, the first of two with the same name.
    void global_attributes() {
        bool found = wanted_.empty();
        for (std::uint64_t n = list(attribute_tag); n > 0; --n) {
            const bool is_it = text() == wanted_ && !found;
            const std::uint64_t of_type = type();
            found = found || is_it;
            if (is_it && of_type == text_type)
                read_wanted();
            else
                skip_value(of_type);
        }
    }
    void read_wanted() {
        const std::uint64_t length = count_of(1), padded = (length + 3) / 4 * 4;
        if (padded > left()) damaged();
        while (text_.size() < length) {
            const std::span<const char> piece = bytes(std::min<std::uint64_t>(piece_bytes, length - text_.size()));
            text_.append(piece.begin(), piece.end());
        }
        at_ += padded - length;
        while (!text_.empty() && text_.back() == '\0') // C programs like to write the final zero, too
            text_.pop_back();
    }
    void variable() {
        const std::string name = text();
        double values = 1; // in floating point nothing overflows
        bool record = false;
        for (std::uint64_t n = count_of(count_bytes()); n > 0; --n) {
            const std::uint64_t dimension = number(count_bytes());
            if (dimension >= dimensions_.size()) damaged();
            record = record || dimensions_[dimension] == 0;
            values *= static_cast<double>(dimensions_[dimension]);
        }
        attributes();
        const std::uint64_t bytes = type_bytes[type()];
        number(count_bytes()); // the size once more; too small a field for large variables
        const std::uint64_t begin = number(version_ == 1 ? 4 : 8);
        begins_[name] = begin;
        const double end = static_cast<double>(begin) + values * static_cast<double>(bytes);
        if (begin > bytes_ || (!record && end > static_cast<double>(bytes_))) damaged();
    }

    const std::string &path_;
    static constexpr std::size_t piece_bytes = std::size_t{16} << 10U;
    FileHandle file_;
    std::uint64_t bytes_ = 0, at_ = 0, held_at_ = 0;
    std::vector<char> held_; // of the file, from held_at_ on
    std::uint64_t version_ = 0;
    std::vector<std::uint64_t> dimensions_;
    ClassicBegins begins_;
    std::string wanted_, text_;
};

} // namespace

ClassicBegins check_classic_header(const std::string &path) {
    return HeaderWalk(path).walk();
}

std::string classic_text(const std::string &path, const std::string &name) {
    HeaderWalk header(path, name);
    header.walk();
    return header.wanted_text();
}

std::uint64_t classic_offset(const std::string &path, const std::string &variable) {
    return classic_offset(check_classic_header(path), path, variable);
}

std::uint64_t classic_offset(const ClassicBegins &begins, const std::string &path, const std::string &variable) {
    const auto found = begins.find(variable);
    if (found == begins.end()) throw FileError(path, "has no variable " + variable);
    return found->second;
}

} // namespace cpl_lb
