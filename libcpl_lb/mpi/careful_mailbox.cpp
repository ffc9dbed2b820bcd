// Keeps letters until a notice says that their receiver is there, and writes notices as hexadecimal digits.
#include "mpi/careful_mailbox.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <charconv>

namespace cpl_lb {
namespace {

constexpr double first_wait_between_questions_s = 0.001;
constexpr double longest_wait_between_questions_s = 0.25;
constexpr double questions_take_at_most = 0.05; // of the time: one server answers them for the whole job

// The number after `name`, with blanks between: major and minor of "MPICH Version:      4.2.1".
std::optional<std::pair<int, int>> version_after(std::string_view text, std::string_view name) {
    const std::size_t at = text.find(name);
    if (at == std::string_view::npos) return std::nullopt;
    text.remove_prefix(at + name.size());
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return std::nullopt;
    text.remove_prefix(first);
    std::pair<int, int> version{0, 0};
    const char *const end = text.data() + text.size();
    const auto [dot, error] = std::from_chars(text.data(), end, version.first);
    if (error != std::errc{} || dot == end || *dot != '.') return std::nullopt;
    if (std::from_chars(dot + 1, end, version.second).ec != std::errc{}) return std::nullopt;
    return version;
}

constexpr const char *decision = "decision";

std::string part_of(int root, int n) {
    return fmt::format("part.{}.{}", root, n);
}

std::string in_digits(const Bytes &bytes) {
    std::string digits;
    for (const std::byte b : bytes)
        digits += fmt::format("{:02x}", static_cast<unsigned>(b));
    return digits;
}

bool from_digits(std::string_view digits, Bytes &bytes) {
    for (; digits.size() >= 2; digits.remove_prefix(2)) {
        unsigned value = 0;
        if (std::from_chars(digits.data(), digits.data() + 2, value, 16).ptr != digits.data() + 2) return false;
        bytes.push_back(static_cast<std::byte>(value));
    }
    return digits.empty();
}

} // namespace

std::optional<std::pair<int, int>> mpich_version(std::string_view mpi) {
    const auto version = version_after(mpi, "MPICH Version:");
    return version ? version : version_after(mpi, "(ANL base");
}

bool ends_model_for_unread_letter(std::string_view mpi) {
    constexpr std::pair first_that_does{4, 1};
    if (mpi.starts_with("Open MPI") || mpi.find("MVAPICH2") != std::string_view::npos) return false;
    const auto version = mpich_version(mpi);
    return !version || *version >= first_that_does;
}

CarefulMailbox::CarefulMailbox(RollCallMailbox &mail, NoticeBoard &board, std::function<double()> now_s)
    : mail_(mail), board_(board), now_s_(std::move(now_s)) {}

std::string CarefulMailbox::announcement_of(int rank) {
    return fmt::format("here.{}", rank);
}

bool CarefulMailbox::announce() {
    return board_.put(announcement_of(rank()), "yes");
}

bool CarefulMailbox::is_here(int rank) {
    if (here_.contains(rank)) return true;
    if (!board_.get(announcement_of(rank))) return false;
    here_.insert(rank);
    return true;
}

// Always asks whether the receiver is there, even if it was not a moment ago: a process that comes after the decision
// reads its notice, and one that came before must get its letter.
void CarefulMailbox::send(int to, const Bytes &text) {
    if (is_here(to) && !kept_.contains(to)) return mail_.send(to, text);
    if (kept_.empty()) {
        wait_s_ = first_wait_between_questions_s;
        ask_at_s_ = now_s_() + wait_s_;
    }
    kept_[to].push_back(text);
    if (here_.contains(to)) ask_again();
}

void CarefulMailbox::ask_again() {
    const double began_s = now_s_();
    for (auto at = kept_.begin(); at != kept_.end();) {
        if (!is_here(at->first)) {
            ++at;
            continue;
        }
        for (const Bytes &letter : at->second)
            mail_.send(at->first, letter);
        at = kept_.erase(at);
    }
    const double now_s = now_s_();
    wait_s_ = std::min(2 * wait_s_, longest_wait_between_questions_s);
    ask_at_s_ = now_s + std::max(wait_s_, (now_s - began_s) / questions_take_at_most);
}

std::optional<Mail> CarefulMailbox::next() {
    std::optional<Mail> letter = mail_.next();
    if (letter) {
        here_.insert(letter->from);
        return letter; // perhaps the decision: read it before an older letter is sent
    }
    if (!kept_.empty() && now_s_() >= ask_at_s_) ask_again();
    return letter;
}

// In as many parts as the board needs. The notice that all read comes last.
bool CarefulMailbox::put_up(const Bytes &notice) {
    const std::string digits = in_digits(notice);
    int parts = 0;
    for (std::size_t at = 0; at < digits.size(); at += NoticeBoard::longest_text)
        if (!board_.put(part_of(rank(), parts++), digits.substr(at, NoticeBoard::longest_text))) return false;
    const std::string where = fmt::format("{}.{}", rank(), parts);
    return board_.put(decision, where) && board_.get(decision) == where; // if two are put up, one stays
}

std::optional<Mail> CarefulMailbox::notice() {
    const std::optional<std::string> where = board_.get(decision);
    if (!where) return std::nullopt;
    Mail mail;
    int parts = 0;
    const char *const end = where->data() + where->size();
    const auto [dot, error] = std::from_chars(where->data(), end, mail.from);
    if (error != std::errc{} || dot == end || std::from_chars(dot + 1, end, parts).ec != std::errc{})
        return std::nullopt;
    for (int n = 0; n < parts; ++n) {
        const std::optional<std::string> part = board_.get(part_of(mail.from, n));
        if (!part || !from_digits(*part, mail.text)) return std::nullopt;
    }
    return mail;
}

} // namespace cpl_lb
