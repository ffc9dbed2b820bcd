// Bytes for messages between processes of one run. Nothing is converted, because they have the same machine type and
// build, but every length is checked, because a message may come from a process in trouble.
#pragma once

#include "support/either.hpp"
#include "support/number_list.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace cpl_lb {

using Bytes = std::vector<std::byte>;

// A type of several members names them once: void wire_members(auto &way, Either<Type> auto &value) passes them to
// way, which is a WireWriter or a WireReader.
template <class T, class Way>
concept HasWireMembers = requires(T &value, Way &way) {
    wire_members(way, value);
};

// A type whose members may contradict each other: bool fits_together(const Type &) tells.
template <class T>
concept MayNotFit = requires(const T &value) {
    { fits_together(value) } -> std::same_as<bool>;
};

// A list whose elements have members, or lengths, of their own, a set, or a map: the number of elements, then one
// after the other.
template <class T, class Way>
inline constexpr bool one_by_one = false;
template <class E, class Way>
inline constexpr bool one_by_one<std::vector<E>, Way> = HasWireMembers<E, Way> || !std::is_trivially_copyable_v<E>;
template <class E, class Way>
inline constexpr bool one_by_one<std::set<E>, Way> = true;
template <class Key, class Value, class Way>
inline constexpr bool one_by_one<std::map<Key, Value>, Way> = true;

class WireWriter {
public:
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const T &value) { append(value); }
    void put(std::string_view text) {
        put(text.size());
        const auto *p = reinterpret_cast<const std::byte *>(text.data());
        bytes_.insert(bytes_.end(), p, p + text.size());
    }
    void put(const std::string &text) { put(std::string_view(text)); }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void put(const std::vector<T> &values) {
        put(values.size());
        if constexpr (may_have_padding<T>) {
            for (const T &value : values)
                append(value);
        } else {
            const auto *p = reinterpret_cast<const std::byte *>(values.data());
            bytes_.insert(bytes_.end(), p, p + values.size() * sizeof(T));
        }
    }
    void put(const NumberList &list) { put(list.runs()); }
    template <class... T>
    void pass(const T &...values) {
        (pass_one(values), ...);
    }
    // Reserves room for so many more bytes, because a message that has to grow is in memory twice.
    void expect(std::size_t more) { bytes_.reserve(bytes_.size() + more); }
    [[nodiscard]] Bytes take() { return std::move(bytes_); }

private:
    template <class Key, class Value>
    void pass_one(const std::pair<Key, Value> &both) {
        pass(both.first, both.second);
    }
    template <class T>
    static constexpr bool may_have_padding =
        !std::has_unique_object_representations_v<T> && !std::is_floating_point_v<T>;

    template <class T>
    void pass_one(const T &value) {
        if constexpr (HasWireMembers<const T, WireWriter>) {
            wire_members(*this, value);
        } else if constexpr (one_by_one<T, WireWriter>) {
            put(value.size());
            for (const auto &element : value)
                pass_one(element);
        } else {
            put(value);
        }
    }
    // Clears the padding between members, so that a message depends on the values alone.
    template <class T>
    void append(T value) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
        if constexpr (may_have_padding<T>) __builtin_clear_padding(&value);
#endif
#endif
        // insert() can also move what follows; g++ 12 computes sizes for that and warns (-Wstringop-overflow).
        const std::size_t before = bytes_.size();
        bytes_.resize(before + sizeof(T));
        std::memcpy(bytes_.data() + before, &value, sizeof(T));
    }

    Bytes bytes_;
};

// Ends terminate on this process, which tells the others.
class DamagedMessage : public std::runtime_error {
public:
    explicit DamagedMessage(const char *what)
        : std::runtime_error(std::string("a message with ") + what + " is damaged") {}
};

// After a read past the end good() is false and every value read is zero or empty.
class WireReader {
public:
    explicit WireReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    template <class T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] T get() {
        if constexpr (std::is_same_v<T, bool>) return get<std::uint8_t>() != 0; // other bytes are no bool
        T value{};
        if (has(sizeof(T))) {
            std::memcpy(&value, rest_.data(), sizeof(T));
            rest_ = rest_.subspan(sizeof(T));
        }
        return value;
    }
    [[nodiscard]] std::string get_text() {
        const auto n = get<std::size_t>();
        if (!has(n)) return {};
        std::string text(reinterpret_cast<const char *>(rest_.data()), n);
        rest_ = rest_.subspan(n);
        return text;
    }
    template <class T>
    requires std::is_trivially_copyable_v<T>
    [[nodiscard]] std::vector<T> get_vector() {
        std::vector<T> values;
        get_values(get<std::size_t>(), values);
        return values;
    }
    // Reads n values that are not preceded by their number.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void get_values(std::size_t n, std::vector<T> &values) {
        if (n > rest_.size() / sizeof(T)) good_ = false;
        values.resize(good_ ? n : 0);
        if (values.empty()) return;
        std::memcpy(values.data(), rest_.data(), n * sizeof(T));
        rest_ = rest_.subspan(n * sizeof(T));
    }
    [[nodiscard]] NumberList get_list() {
        NumberList list;
        if (!list.take_runs(get_vector<NumberList::Run>())) good_ = false;
        return list;
    }
    template <class... T>
    void pass(T &...values) {
        (pass_one(values), ...);
    }
    // Called after the last value: throws if bytes were missing or are left, or if the values do not fit together.
    void finish(const char *what, bool fits = true) const {
        if (!good_ || !rest_.empty() || !fits) throw DamagedMessage(what);
    }
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool done() const { return rest_.empty() || !good_; }

private:
    template <class T>
    void pass_one(T &value) {
        if constexpr (HasWireMembers<T, WireReader>) {
            wire_members(*this, value);
        } else if constexpr (one_by_one<T, WireReader>) {
            for (auto n = get<std::size_t>(); n > 0 && good_; --n)
                read_next(value);
        } else {
            read(value);
        }
    }
    template <class E>
    void read_next(std::vector<E> &list) {
        pass_one(list.emplace_back());
    }
    template <class E>
    void read_next(std::set<E> &all) {
        E element;
        pass_one(element);
        all.insert(std::move(element));
    }
    template <class Key, class Value>
    void read_next(std::map<Key, Value> &all) {
        Key key;
        pass_one(key);
        pass_one(all[std::move(key)]);
    }
    void read(std::string &text) { text = get_text(); }
    void read(NumberList &list) { list = get_list(); }
    template <class T>
    void read(std::vector<T> &values) {
        values = get_vector<T>();
    }
    template <class T>
    void read(T &value) {
        value = get<T>();
    }
    bool has(std::size_t n) {
        good_ = good_ && n <= rest_.size();
        return good_;
    }
    std::span<const std::byte> rest_;
    bool good_ = true;
};

// Makes the message of a value, and the value from a message. what: names a damaged message.
template <class T>
void check_fit(const char *what, const T &value) {
    if constexpr (MayNotFit<T>)
        if (!fits_together(value)) throw DamagedMessage(what);
}
template <class T>
[[nodiscard]] Bytes packed(const T &value) {
    WireWriter out;
    out.pass(value);
    return out.take();
}
template <class T>
[[nodiscard]] T unpacked(const Bytes &bytes, const char *what) {
    T value{};
    WireReader in(bytes);
    in.pass(value);
    in.finish(what);
    check_fit(what, value);
    return value;
}

} // namespace cpl_lb
