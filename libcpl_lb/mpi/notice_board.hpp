// Notices that the processes of one job leave for each other, who read them whenever they come. No message of MPI is
// sent for it: a receive of the model could take it (docs/decisions/roll_call.md).
#pragma once

#include <optional>
#include <string>

namespace cpl_lb {

class NoticeBoard {
public:
    NoticeBoard() = default;
    NoticeBoard(const NoticeBoard &) = delete;
    NoticeBoard &operator=(const NoticeBoard &) = delete;
    virtual ~NoticeBoard() = default;
    // After it returned true, every get() that begins finds the text, whole. A name is letters, digits and '.', and
    // never changes its text. False: there is something of this name, or the board takes nothing.
    [[nodiscard]] virtual bool put(const std::string &name, const std::string &text) = 0;
    [[nodiscard]] virtual std::optional<std::string> get(const std::string &name) = 0;
    // Whether put() returns true to one process only if several put the same name at the same time.
    [[nodiscard]] virtual bool first_stays() const = 0;
    // put() for a line that the user is to read once: if several try at the same time, one of each node at most.
    [[nodiscard]] virtual bool put_line(const std::string &name) { return put(name, "yes"); }
    // Whether to look at it takes nobody else's time.
    [[nodiscard]] virtual bool is_on_this_node() const { return false; }
};

// A board that holds short words of hexadecimal digits and '.': a text is one or several.
class BoardOfWords : public NoticeBoard {
public:
    [[nodiscard]] bool put(const std::string &name, const std::string &text) override;
    [[nodiscard]] std::optional<std::string> get(const std::string &name) override;

protected:
    explicit BoardOfWords(std::size_t longest) : longest_(longest) {}
    [[nodiscard]] virtual bool put_word(const std::string &name, const std::string &word) = 0;
    [[nodiscard]] virtual std::optional<std::string> get_word(const std::string &name) = 0;

private:
    std::size_t longest_; // digits in a word
};

} // namespace cpl_lb
