// Finds out who came to cpl_lb_init and which settings the run has, by messages from process to process alone: an
// executable without the library never joins a collective operation, and a collective operation that is begun and
// given up breaks the model's next one (docs/decisions/roll_call.md).
//
// Rank 0 leads. It sends its word (its settings) down a tree of the ranks as soon as it comes. If the word is "off",
// that is all: each process finds the word, or waits for it. If it is "on", each process answers: it promises to wait
// for the decision, however long that takes. The leader waits for the answers until its patience is over. Then it
// decides: those who promised are recorded. They get their list down the tree. Everybody else gets a letter that
// the others went on; a late process finds it when it comes.
//
// If no word comes, a process looks for a process of a lower rank, the nearest first, and joins it. So the processes
// that came form one tree, and the lowest of them leads when its patience is over.
//
// A suspended process cannot hang the others: each process promises at most one leader, a list holds only those who
// promised, and every leader tells each process of the communicator its decision. So the processes of a list can
// begin a collective operation: each of them comes to it.
//
// Knows neither MPI nor a clock: messages go through a Mailbox, times are passed in as seconds.
#pragma once

#include "mpi/rank_set.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

struct Mail {
    int from = -1;
    Bytes text;
};

class Mailbox {
public:
    Mailbox() = default;
    Mailbox(const Mailbox &) = delete;
    Mailbox &operator=(const Mailbox &) = delete;
    virtual ~Mailbox() = default;
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    virtual void send(int to, const Bytes &text) = 0; // never waits
    [[nodiscard]] virtual std::optional<Mail> next() = 0;
    // For an MPI whose letters cannot wait for late processes: puts up the decision for them to read. The first
    // notice stays. False: there is one already.
    [[nodiscard]] virtual bool put_up(const Bytes & /*notice*/) { return true; }
    [[nodiscard]] virtual std::optional<Mail> notice() { return std::nullopt; }
    // For the same MPI: whether this process is the first of all to ask. Empty with other MPIs.
    [[nodiscard]] virtual std::optional<bool> may_speak() { return std::nullopt; }
};

// What a process knows by itself when it arrives.
struct RollCallPart {
    std::string settings;                                  // encoded; empty: nothing here switches on
    std::int32_t code = 0;                                 // of reading them
    std::string off_because;                               // in words, for those who ask for a recording
    bool asks = false;                                     // something here says: record, even if it cannot be read
    double patience_s = 0;                                 // how long it would wait for the others
    std::function<bool(const std::string &)> accepts = {}; // whether it can read the settings of another; none: yes
};

struct Verdict {
    std::int32_t root = -1; // the rank that led: its settings count
    std::int32_t code = 0;
    std::string settings; // empty: switched off
    std::string off_because;
    RankSet present;       // the processes that are recorded; empty when switched off
    double patience_s = 0; // the root's
    bool late = false;     // the others had gone on before this process came
    bool others_record = false;
};

class RollCall {
public:
    static constexpr double longest_confirmation_s = 5.0;

    RollCall(Mailbox &mail, RollCallPart mine, double now_s);

    // Reads and answers what has come. False: the call is over. May be called again after an exception (no memory).
    bool step(double now_s);

    // The result, once the call is over. Empty: the others did not answer.
    [[nodiscard]] const std::optional<Verdict> &verdict() const { return verdict_; }
    // Whether this process leads, or would if its patience were over now.
    [[nodiscard]] bool leads() const;
    // Whether others may count on this process. If so, it must go on until the call is over.
    [[nodiscard]] bool has_promised() const { return stage_ == Stage::leading || stage_ == Stage::promised; }
    // The processes that came, as far as this one knows; if it leads, those that answered.
    [[nodiscard]] const RankSet &came() const { return stage_ == Stage::leading ? answers_.answered : came_; }
    // Among neighbouring processes that are late, or ask for a recording in vain, one prints the message.
    [[nodiscard]] bool speaks() const { return speaks_; }
    [[nodiscard]] double ends_at_s() const { return give_up_at_s_; }

private:
    enum class Stage : std::uint8_t { looking, leading, promised, telling, over };
    enum class Kind : std::uint8_t { here = 1, heard, word, answer, go, went_on, me_too };

    // What a leader says. told: those who hear an "off" after its patience, and write letters to the others.
    struct Word {
        std::int32_t root = -1;
        std::int32_t code = 0;
        std::string settings, off_because;
        double patience_s = 0;
        RankSet told;
    };
    struct WentOn {
        std::int32_t root = -1;
        bool records = false;
        double patience_s = 0;
        bool is_first = false; // the first of neighbouring ranks that get such a letter
        bool is_last = false;
    };
    // The processes of a subtree that wait for the decision, and those that have at least answered.
    struct Answers {
        RankSet confirmed, answered;
        void add(const Answers &other) {
            confirmed.add(other.confirmed);
            answered.add(other.answered);
        }
        friend void wire_members(WireWriter &out, const Answers &a) { out.pass(a.confirmed, a.answered); }
        friend bool operator==(const Answers &, const Answers &) = default;
    };

    template <class... T>
    [[nodiscard]] static Bytes letter(Kind kind, const T &...values);
    template <class... T>
    void send(int to, Kind kind, const T &...values) const;
    bool take_letter();
    void read(const Mail &letter);
    void read_here(int from, WireReader &in);
    void read_heard(int from, WireReader &in);
    void read_word(int from, WireReader &in);
    void read_answer(int from, WireReader &in);
    void read_go(WireReader &in);
    void read_went_on(WireReader &in);

    void look();
    void read_notice();
    void report_up();
    void search();
    void tell_heard(int to);

    void lead();
    void lead_on();
    [[nodiscard]] bool put_up(const Bytes &notice);
    void give_way();
    void decide(const RankSet &present, const RankSet &writers);
    void take_word();
    void pass_word_on();
    [[nodiscard]] Bytes letter_of_word() const;
    [[nodiscard]] Bytes letter_that_went_on(bool is_first, bool is_last) const;
    void tell_word(int to);
    void answer();
    void leave_letters(const RankSet &writers, const RankSet &told) const;
    void end_off();
    void end_late(const WentOn &letter);
    void tell_neighbour();

    Mailbox &mail_;
    RollCallPart mine_;
    int me_, size_;
    double now_s_;
    double slow_at_s_, search_at_s_, wave_s_; // when somebody seems to be missing, and the pace of the search
    double give_up_at_s_;
    Stage stage_ = Stage::looking;
    std::optional<Mail> letter_; // being read

    // The members below are used until a word is known.
    int block_leader_;        // -1: this is rank 0
    std::int32_t block_last_; // of the block of ranks that this process leads
    RankSet came_;
    std::vector<int> children_; // processes that reported to this one
    std::vector<int> heard_;    // children that got a reply
    int parent_ = -1;           // the process below this rank that answered
    int told_ = -1;             // the process to which came_ was sent last ...
    RankSet told_came_;         // ... and what it was then
    double told_at_s_ = 0;
    std::int32_t searched_to_; // ranks from here up to this one were asked
    std::int32_t next_wave_ = 1;
    double next_wave_at_s_ = 0;
    std::optional<WentOn> went_on_;
    double next_notice_at_s_ = 0, notice_wait_s_ = 0;

    // The members below are used from the word on.
    std::optional<Word> word_;
    int word_from_ = -1;
    std::vector<int> told_word_; // by this process
    bool all_have_word_ = false; // all to whom this process, as leader, passes the word have it
    Answers answers_;
    RankSet answered_by_tree_;                    // by those to whom this process passed the word
    std::vector<std::pair<int, RankSet>> direct_; // answers that bypassed a slow process
    std::vector<int> answered_here_;              // processes that sent an answer to this one
    std::optional<Answers> reported_, reported_directly_;
    double reported_at_s_ = 0, directly_at_s_ = 0;

    std::optional<Verdict> verdict_;
    bool is_first_ = false, is_last_ = false, heard_neighbour_ = false, told_neighbour_ = false;
    bool speaks_ = false;
    double telling_until_s_ = 0;
};

} // namespace cpl_lb
