// Calls toml++ and turns its tree into plain values; the only file that includes it.
#include "io/toml/toml_table.hpp"

#include <algorithm>

// "[@a]" fails an assertion of toml++ 3.3, which its parser then refuses as it should; with NDEBUG it would be told
// to the compiler as true, and anything could happen.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace cpl_lb {
namespace {

TomlNode tree_of(const toml::node &node, const std::string &path, const std::string &name) {
    TomlNode tree;
    tree.line = static_cast<int>(node.source().begin.line);
    if (const auto *table = node.as_table()) {
        auto &entries = tree.value.emplace<std::map<std::string, TomlNode>>();
        for (const auto &[key, value] : *table)
            entries.emplace(std::string(key.str()), tree_of(value, path, std::string(key.str())));
    } else if (const auto *array = node.as_array()) {
        auto &elements = tree.value.emplace<std::vector<TomlNode>>();
        for (const toml::node &element : *array)
            elements.push_back(tree_of(element, path, name));
    } else if (const auto *text = node.as_string()) {
        tree.value = text->get();
    } else if (const auto *whole = node.as_integer()) {
        tree.value = whole->get();
    } else if (const auto *number = node.as_floating_point()) {
        tree.value = number->get();
    } else if (const auto *flag = node.as_boolean()) {
        tree.value = flag->get();
    } else {
        throw TomlError(path, tree.line, name, "dates and times have no place here");
    }
    return tree;
}

// toml++ bounds the depth of arrays and inline tables, and not that of names like a.b.c: each part is a table inside
// the one before, and thousands of them exhaust the stack.
void refuse_deep_names(std::string_view text, const std::string &path) {
    constexpr int deepest = 500;
    int line = 1, dots = 0;
    for (const char c : text) {
        if (c == '.' && ++dots > deepest) throw TomlError(path, line, "", "a name of so many parts is none of ours");
        if (c == '\n') ++line;
        if (std::string_view("\n=,[]{}#").find(c) != std::string_view::npos) dots = 0;
    }
}

// Outside of quotes and comments TOML has ASCII only. What toml++ 3.3 does with other letters there is not defined:
// its test for blanks comes to a place that it calls unreachable.
void refuse_letters_outside_of_quotes(std::string_view text, const std::string &path) {
    const auto fail = [&](int line) { throw TomlError(path, line, "", "only ASCII may stand outside of quotes"); };
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (std::all_of(text.begin(), text.end(), is_ascii)) return;
    // With strings of several lines it would take a parser to know what is outside.
    if (text.find(R"(""")") != std::string_view::npos || text.find("'''") != std::string_view::npos) fail(1);
    int line = 1;
    char inside = 0; // the quote, or '#'
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') {
            ++line;
            inside = 0;
        } else if (inside == 0) {
            if (!is_ascii(c)) fail(line);
            if (c == '"' || c == '\'' || c == '#') inside = c;
        } else if (inside == '"' && c == '\\') {
            ++i;
            if (i < text.size() && text[i] == '\n') --i;
        } else if (inside != '#' && c == inside) {
            inside = 0;
        }
    }
}

} // namespace

TomlError::TomlError(const std::string &path, int line, const std::string &name, const std::string &what)
    : std::runtime_error(path + ":" + std::to_string(line) + ": " + (name.empty() ? "" : name + ": ") + what) {}

TomlNode parse_toml(std::string_view text, const std::string &path) {
    refuse_deep_names(text, path);
    refuse_letters_outside_of_quotes(text, path);
    try {
        return tree_of(toml::parse(text, path), path, "");
    } catch (const toml::parse_error &error) {
        throw TomlError(path, static_cast<int>(error.source().begin.line), "", std::string(error.description()));
    }
}

} // namespace cpl_lb
