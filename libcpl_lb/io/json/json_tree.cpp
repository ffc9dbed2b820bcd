// Builds JSON values and prints them as text, with escapes and without an allocation in any destructor.
#include "io/json/json_tree.hpp"

#include "support/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr char32_t not_a_character = 0xfffd;

void put_code(std::string &out, char32_t unit) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += digits[unit >> static_cast<unsigned>(shift) & 0xfU];
}

void put_escaped(std::string &out, char32_t c) {
    if (c >= 0x10000) {
        put_code(out, 0xd800 + ((c - 0x10000) >> 10U));
        put_code(out, 0xdc00 + ((c - 0x10000) & 0x3ffU));
    } else {
        put_code(out, c);
    }
}

// Appends one byte.
void put_ascii(std::string &out, char c) {
    constexpr std::string_view special = "\"\\\b\f\n\r\t";
    constexpr std::string_view letters = "\"\\bfnrt";
    if (const std::size_t at = special.find(c); at != std::string_view::npos)
        (out += '\\') += letters[at];
    else if (static_cast<unsigned char>(c) < 0x20)
        put_code(out, static_cast<unsigned char>(c));
    else
        out += c;
}

void put_string(std::string &out, std::string_view text, bool ascii) {
    out += '"';
    while (!text.empty()) {
        const Codepoint next = next_codepoint(text);
        const char32_t c = next.valid ? next.value : not_a_character;
        const std::size_t bytes = next.valid ? next.bytes : next.broken;
        if (c < 0x7f)
            put_ascii(out, static_cast<char>(c));
        else if (ascii || c == 0x7f || is_invisible(c)) // json is printed on terminals, too
            put_escaped(out, c);
        else if (c == not_a_character)
            out += "\xef\xbf\xbd";
        else
            out += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    out += '"';
}

// The shortest digits that read back as the same number; a real number looks like one.
void put_number(std::string &out, double value) {
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out.append(digits.data(), end);
    if (std::all_of(digits.data(), end, [](char c) { return c == '-' || (c >= '0' && c <= '9'); })) out += ".0";
}

void put_line(std::string &out, int indent, int depth) {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(depth), ' ');
}

} // namespace

JsonTree::JsonTree(List values) : value_(Box<List>(std::move(values))) {}

JsonTree::JsonTree(std::initializer_list<JsonTree> values) {
    const bool pairs = std::all_of(values.begin(), values.end(), [](const JsonTree &v) { return v.name_of_pair(); });
    if (!pairs || values.size() == 0) {
        value_ = Box<List>(List(values));
        return;
    }
    Object members;
    members.reserve(values.size());
    for (const JsonTree &v : values)
        members.emplace_back(*v.name_of_pair(), (*std::get<Box<List>>(v.value_))[1]);
    value_ = Box<Object>(std::move(members));
}

// The name of a pair {"name", value}; null if this is none.
const std::string *JsonTree::name_of_pair() const {
    const auto *list = std::get_if<Box<List>>(&value_);
    if (list == nullptr || (**list).size() != 2) return nullptr;
    const auto *name = std::get_if<Box<std::string>>(&(**list)[0].value_);
    return name == nullptr ? nullptr : &**name;
}

JsonTree JsonTree::array(std::size_t room) {
    JsonTree tree;
    List list;
    list.reserve(room);
    tree.value_ = Box<List>(std::move(list));
    return tree;
}

JsonTree JsonTree::number(double value) {
    JsonTree tree; // in braces it would become a list
    tree.value_ = value;
    return tree;
}

JsonTree JsonTree::object() {
    JsonTree tree;
    tree.value_ = Box<Object>(Object());
    return tree;
}

JsonTree &JsonTree::operator[](std::string_view name) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = Box<Object>(Object());
    Object &members = *std::get<Box<Object>>(value_);
    const auto found = std::find_if(members.begin(), members.end(), [&](const auto &m) { return m.first == name; });
    return found != members.end() ? found->second : members.emplace_back(std::string(name), JsonTree()).second;
}

void JsonTree::drop(std::string_view name) {
    if (auto *members = std::get_if<Box<Object>>(&value_))
        std::erase_if(**members, [&](const auto &m) { return m.first == name; });
}

void JsonTree::push_back(JsonTree value) {
    if (std::holds_alternative<std::monostate>(value_)) value_ = Box<List>(List());
    (*std::get<Box<List>>(value_)).push_back(std::move(value));
}

JsonTree &JsonTree::back() {
    return (*std::get<Box<List>>(value_)).back();
}

bool JsonTree::has(std::string_view name) const {
    const auto *members = std::get_if<Box<Object>>(&value_);
    return members != nullptr &&
           std::any_of((**members).begin(), (**members).end(), [&](const auto &m) { return m.first == name; });
}

bool JsonTree::empty() const {
    if (const auto *list = std::get_if<Box<List>>(&value_)) return (**list).empty();
    if (const auto *members = std::get_if<Box<Object>>(&value_)) return (**members).empty();
    return std::holds_alternative<std::monostate>(value_);
}

std::string JsonTree::dump(int indent, bool ascii) const {
    std::string out;
    write(out, indent, 0, ascii);
    return out;
}

void JsonTree::write(std::string &out, int indent, int depth, bool ascii) const {
    const auto each = [&](const auto &values, char open, char close, auto &&put) {
        out += open;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) out += ',';
            put_line(out, indent, depth + 1);
            put(values[i]);
        }
        if (!values.empty()) put_line(out, indent, depth);
        out += close;
    };
    if (const auto *list = std::get_if<Box<List>>(&value_)) {
        each(**list, '[', ']', [&](const JsonTree &v) { v.write(out, indent, depth + 1, ascii); });
    } else if (const auto *members = std::get_if<Box<Object>>(&value_)) {
        each(**members, '{', '}', [&](const auto &m) {
            put_string(out, m.first, ascii);
            out += indent < 0 ? ":" : ": ";
            m.second.write(out, indent, depth + 1, ascii);
        });
    } else if (const auto *text = std::get_if<Box<std::string>>(&value_)) {
        put_string(out, **text, ascii);
    } else if (const auto *json = std::get_if<Box<Text>>(&value_)) {
        out += (**json).json;
    } else if (const auto *real = std::get_if<double>(&value_)) {
        put_number(out, *real);
    } else if (const auto *whole = std::get_if<std::int64_t>(&value_)) {
        out += std::to_string(*whole);
    } else if (const auto *flag = std::get_if<bool>(&value_)) {
        out += *flag ? "true" : "false";
    } else {
        out += "null";
    }
}

} // namespace cpl_lb
