// The grammar of a namelist: groups, names, values, repeat counts; each mistake with its line.
#include "io/settings/namelist.hpp"

#include "io/settings/namelist_scanner.hpp"
#include "support/fmt.hpp"
#include "support/utf8.hpp"

#include <charconv>
#include <utility>

namespace cpl_lb {

namespace {

// Parses one group after another. After a mistake inside a group it goes on to that group's end: the first mistake
// is kept, and the groups that follow are still found.
class NamelistParser {
public:
    NamelistParser(std::string_view text, std::string_view file) : scan_(text), file_(file) {}

    std::vector<NamelistGroup> parse() {
        while (groups_.size() < namelist_max_groups && find_group())
            parse_group();
        return std::move(groups_);
    }

private:
    enum class After : std::uint8_t { nothing, equals, comma, value };

    NamelistGroup &group() { return groups_.back(); }

    void fail(int line, std::string_view name, std::string message) {
        if (!group().error) {
            group().error = NamelistError{std::string(file_), line, std::string(name), std::move(message)};
        }
    }

    std::string_view entry_name() {
        return group().entries.empty() ? "" : std::string_view(group().entries.back().name);
    }

    // &name as the first thing on a line, or after the end of another group.
    bool find_group() {
        while (!scan_.at_end()) {
            scan_.skip_blanks();
            if (scan_.peek() == '&' || scan_.peek() == '$') {
                const int line = scan_.line();
                scan_.take();
                const std::string_view name = scan_.take_name();
                const bool separated = scan_.at_end() || is_namelist_separator(scan_.peek());
                if (separated && is_namelist_name(name) && namelist_lower(name) != "end") {
                    groups_.push_back({namelist_lower(name), line, {}, {}});
                    return true;
                }
            }
            scan_.skip_line();
        }
        return false;
    }

    void parse_group() {
        after_ = After::nothing;
        for (;;) {
            scan_.skip_blanks();
            if (scan_.at_end()) {
                fail(group().line, "&" + group().name, "the group does not end: no '/'");
                return;
            }
            switch (scan_.peek()) {
            case '/':
                slash();
                return;
            case '&':
            case '$':
                if (ampersand()) return;
                break;
            case ',':
                comma();
                break;
            case '=':
                fail(scan_.line(), entry_name(), "'=' without a name before it");
                scan_.take();
                break;
            case '\'':
            case '"':
                quoted(1);
                break;
            default:
                bare();
            }
        }
    }

    void slash() {
        const int line = scan_.line();
        scan_.take();
        // Legal Fortran, a null value and the end of the group, but never what was meant: cn_dir = /scratch/me
        if (after_ == After::equals && is_namelist_name_part(scan_.peek()))
            fail(line, entry_name(), "the '/' ends the group here: a path needs quotes");
    }

    // &end, or the start of the next group; true: this group is over.
    bool ampersand() {
        const int line = scan_.line();
        if (scan_.first_on_line() && namelist_lower(peek_name()) != "end") {
            fail(group().line, "&" + group().name,
                 fmt::format("the group does not end: no '/' before line {}", line));
            return true; // find_group takes it from here
        }
        const char sign = scan_.take();
        if (namelist_lower(scan_.take_name()) == "end") return true;
        fail(line, entry_name(), fmt::format("unexpected '{}'", sign));
        return false;
    }

    std::string peek_name() {
        std::string name;
        for (std::size_t i = 1; i <= 4 && is_namelist_name_part(scan_.peek(i)); ++i)
            name.push_back(scan_.peek(i)); // long enough to tell "end" from the rest
        return name;
    }

    void comma() {
        const int line = scan_.line();
        scan_.take();
        if (after_ == After::nothing) return; // before the first name: gfortran and others let it pass
        if (after_ != After::value) add({NamelistValue::Form::null, line, 1, {}});
        after_ = After::comma;
    }

    void quoted(std::uint64_t repeat) {
        NamelistValue value{NamelistValue::Form::quoted, scan_.line(), repeat, {}};
        const bool closed = scan_.take_string(value.text);
        if (!closed || scan_.line() != value.line) {
            // Fortran lets strings span lines; a forgotten quote would then swallow the lines after it in silence.
            fail(value.line, entry_name(), "the string is not closed on its line");
        } else if (!scan_.at_end() && !is_namelist_separator(scan_.peek())) {
            fail(value.line, entry_name(), "no blank or comma after the string " + quoted_for_message(value.text));
        }
        add(std::move(value));
        after_ = After::value;
    }

    void bare() {
        const int line = scan_.line();
        std::string_view token = scan_.take_bare();
        const std::size_t length = token.size();
        std::uint64_t repeat = 1;
        if (!repeat_count(token, repeat, line)) return;
        if (token.empty() && is_namelist_quote(scan_.peek())) {
            quoted(repeat);
            return;
        }
        scan_.skip_blanks();
        if (scan_.peek() == '=' && token.size() == length) {
            scan_.take();
            name(token, line);
            return;
        }
        const auto form = token.empty() ? NamelistValue::Form::null : NamelistValue::Form::bare;
        add({form, line, repeat, std::string(token)});
        after_ = After::value;
    }

    // Takes "12*" off the token. False: it was no count, and told.
    bool repeat_count(std::string_view &token, std::uint64_t &repeat, int line) {
        const std::size_t star = token.find('*');
        if (star == std::string_view::npos || star == 0) return true;
        const auto [end, code] = std::from_chars(token.data(), token.data() + star, repeat);
        if (code == std::errc::invalid_argument || end != token.data() + star) {
            repeat = 1;
            return true; // part of some other text, which the reader of the value judges
        }
        if (code != std::errc{} || repeat == 0) {
            fail(line, entry_name(), "bad repeat count: " + quoted_for_message(token));
            if (is_namelist_quote(scan_.peek())) {
                std::string ignored;
                scan_.take_string(ignored);
            }
            return false;
        }
        token.remove_prefix(star + 1);
        return true;
    }

    void name(std::string_view token, int line) {
        if (!is_namelist_name(token)) {
            const std::string_view stem = token.substr(0, token.find_first_of("(%"));
            const bool part = stem.size() < token.size() && is_namelist_name(stem);
            fail(line, part ? namelist_lower(stem) : std::string(),
                 part ? "subscripts and components are not supported: " + quoted_for_message(token)
                      : "not a name: " + quoted_for_message(token));
        }
        group().entries.push_back({namelist_lower(token), line, {}});
        after_ = After::equals;
    }

    void add(NamelistValue value) {
        if (group().entries.empty()) {
            const bool could_be_name = value.form == NamelistValue::Form::bare && is_namelist_name(value.text);
            fail(value.line, could_be_name ? value.text : std::string(),
                 could_be_name ? "no '=' after the name" : "not 'name = value': " + quoted_for_message(value.text));
            return;
        }
        auto &values = group().entries.back().values;
        const bool more_nulls = value.form == NamelistValue::Form::null && !values.empty() &&
                                values.back().form == NamelistValue::Form::null &&
                                values.back().repeat < UINT64_MAX - value.repeat;
        if (more_nulls) {
            values.back().repeat += value.repeat;
        } else {
            values.push_back(std::move(value));
        }
    }

    NamelistScanner scan_;
    std::string_view file_;
    std::vector<NamelistGroup> groups_;
    After after_ = After::nothing;
};

} // namespace

std::string NamelistError::text() const {
    std::string line_of_text = file;
    if (line > 0) line_of_text += fmt::format(":{}", line);
    if (!name.empty()) line_of_text += ": " + excerpt(safe_name(name));
    return safe_name(line_of_text) + ": " + message;
}

const NamelistGroup *Namelists::find(std::string_view name) const {
    for (const NamelistGroup &group : groups)
        if (group.name == name) return &group;
    return nullptr;
}

Namelists parse_namelists(std::string_view text, std::string_view file) {
    if (text.size() > namelist_max_bytes) {
        return {{}, NamelistError{std::string(file), 0, "", fmt::format("larger than {} bytes", namelist_max_bytes)}};
    }
    return {NamelistParser(text, file).parse(), {}};
}

std::string quoted_for_message(std::string_view text) {
    return quoted_name(text);
}

} // namespace cpl_lb
