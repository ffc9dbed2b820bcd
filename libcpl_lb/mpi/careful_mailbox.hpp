// Letters for an MPI that ends the model in MPI_Finalize if a letter was never received: MPICH from 4.1 on
// (docs/decisions/roll_call.md). A process gets letters only after its notice says that it is there.
#pragma once

#include "mpi/shared_settings.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cpl_lb {

// Notices that processes leave for others, who read them whenever they come. Names and texts consist of letters,
// digits, '.' and '_'.
class NoticeBoard {
public:
    static constexpr std::size_t longest_text = 200;

    NoticeBoard() = default;
    NoticeBoard(const NoticeBoard &) = delete;
    NoticeBoard &operator=(const NoticeBoard &) = delete;
    virtual ~NoticeBoard() = default;
    // False if there is already something of this name, or no such board.
    [[nodiscard]] virtual bool put(const std::string &name, const std::string &text) = 0;
    [[nodiscard]] virtual std::optional<std::string> get(const std::string &name) = 0;
};

// The version of MPICH, or of the MPICH inside Cray's MPI, from the text of MPI_Get_library_version.
[[nodiscard]] std::optional<std::pair<int, int>> mpich_version(std::string_view mpi);
// True for an unknown MPI, too.
[[nodiscard]] bool ends_model_for_unread_letter(std::string_view mpi);

class CarefulMailbox final : public RollCallMailbox {
public:
    // `mail` and `board` outlive this object. now_s: seconds of any clock.
    CarefulMailbox(RollCallMailbox &mail, NoticeBoard &board, std::function<double()> now_s);

    // Puts up the notice that this process is there. Must be called first. False: the board takes no notices.
    [[nodiscard]] bool announce();
    [[nodiscard]] static std::string announcement_of(int rank);

    [[nodiscard]] int rank() const override { return mail_.rank(); }
    [[nodiscard]] int size() const override { return mail_.size(); }
    // Keeps the letter until the receiver is there. If it does not come, the letter is never sent.
    void send(int to, const Bytes &text) override;
    [[nodiscard]] std::optional<Mail> next() override;
    [[nodiscard]] bool put_up(const Bytes &notice) override;
    [[nodiscard]] std::optional<Mail> notice() override;
    [[nodiscard]] std::optional<bool> may_speak() override { return board_.put("spoken", "yes"); }
    [[nodiscard]] bool all_sent() override { return mail_.all_sent(); }
    [[nodiscard]] bool broken() const override { return mail_.broken(); }

private:
    [[nodiscard]] bool is_here(int rank);
    void ask_again();

    RollCallMailbox &mail_;
    NoticeBoard &board_;
    std::function<double()> now_s_;
    std::set<int> here_; // known to be there
    std::map<int, std::vector<Bytes>> kept_;
    double ask_at_s_ = 0, wait_s_ = 0;
};

} // namespace cpl_lb
