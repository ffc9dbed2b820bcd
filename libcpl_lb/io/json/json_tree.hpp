// JSON as the library writes it at terminate. Not with nlohmann's type, whose destructor allocates (it makes a list
// of the children first) and so ends a process that has run out of memory: nothing here that cleans up allocates, and
// what builds throws std::bad_alloc, which terminate survives.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace cpl_lb {

class JsonTree {
public:
    using List = std::vector<JsonTree>;
    using Object = std::vector<std::pair<std::string, JsonTree>>; // in the order in which they came
    struct Text {                                                 // JSON already, as it is
        std::string json;
    };

    JsonTree() = default; // null
    JsonTree(std::nullptr_t) {}
    JsonTree(bool value) : value_(value) {}
    JsonTree(double value) : value_(value) {} // written as null if it is not finite
    template <std::integral T>
    requires(!std::same_as<T, bool>) JsonTree(T value) : value_(static_cast<std::int64_t>(value)) {}
    JsonTree(std::string_view value) : value_(Box<std::string>(std::string(value))) {}
    JsonTree(const std::string &value) : value_(Box<std::string>(value)) {}
    JsonTree(const char *value) : JsonTree(std::string_view(value)) {}
    JsonTree(Text text) : value_(Box<Text>(std::move(text))) {}
    template <class T>
    JsonTree(const std::vector<T> &values) : JsonTree(List(values.begin(), values.end())) {}
    template <class T, std::size_t n>
    JsonTree(const std::array<T, n> &values) : JsonTree(List(values.begin(), values.end())) {}
    template <class T>
    JsonTree(const std::map<std::string, T> &values) : value_(Box<Object>(Object(values.begin(), values.end()))) {}
    JsonTree(List values);
    // {{"name", value}, ...}: an object; any other {a, b, ...}: a list.
    JsonTree(std::initializer_list<JsonTree> values);

    [[nodiscard]] static JsonTree array(std::size_t room = 0); // a list that grows takes up to twice its memory
    [[nodiscard]] static JsonTree object();
    // Unknown values are null, never 0 or "".
    [[nodiscard]] static JsonTree number(double value);
    [[nodiscard]] static JsonTree text(const std::string &value) {
        return value.empty() ? JsonTree() : JsonTree(value);
    }

    // Member of an object; null becomes one. A new member is null.
    JsonTree &operator[](std::string_view name);
    // Takes a member out of an object, if it is there.
    void drop(std::string_view name);
    // To a list; null becomes one.
    void push_back(JsonTree value);
    [[nodiscard]] JsonTree &back();
    [[nodiscard]] bool has(std::string_view name) const;
    [[nodiscard]] bool empty() const; // null, and an empty list or object

    // indent < 0: on one line. ascii: other characters as \uXXXX. What is not UTF-8 becomes U+FFFD.
    [[nodiscard]] std::string dump(int indent, bool ascii = false) const;

private:
    // A value on the heap that is copied with its owner.
    template <class T>
    class Box {
    public:
        explicit Box(T value) : held_(std::make_unique<T>(std::move(value))) {}
        Box(const Box &other) : held_(std::make_unique<T>(*other.held_)) {}
        Box(Box &&) noexcept = default;
        Box &operator=(const Box &other) {
            if (this != &other) held_ = std::make_unique<T>(*other.held_);
            return *this;
        }
        Box &operator=(Box &&) noexcept = default;
        ~Box() = default;
        [[nodiscard]] T &operator*() const { return *held_; }

    private:
        std::unique_ptr<T> held_;
    };
    void write(std::string &out, int indent, int depth, bool ascii) const;
    [[nodiscard]] const std::string *name_of_pair() const;

    std::variant<std::monostate, bool, std::int64_t, double, Box<std::string>, Box<Text>, Box<List>, Box<Object>>
        value_;
};

} // namespace cpl_lb
