// Notices that processes leave for any other process to read, whenever it comes.
#pragma once

#include <optional>
#include <string>

namespace cpl_lb {

// Names and texts are of letters, digits, '.' and '_'.
class NoticeBoard {
public:
    static constexpr std::size_t longest_text = 200;

    NoticeBoard() = default;
    NoticeBoard(const NoticeBoard &) = delete;
    NoticeBoard &operator=(const NoticeBoard &) = delete;
    virtual ~NoticeBoard() = default;
    // False: something of this name is there already, or there is no such board.
    [[nodiscard]] virtual bool put(const std::string &name, const std::string &text) = 0;
    [[nodiscard]] virtual std::optional<std::string> get(const std::string &name) = 0;
};

} // namespace cpl_lb
