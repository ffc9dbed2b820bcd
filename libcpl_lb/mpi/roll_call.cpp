// The roll call of cpl_lb_init as a state machine that is called step by step: see the header.
#include "mpi/roll_call.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::uint32_t wire_version = 0x4c420004; // other versions of the library count as missing
constexpr double margin_s = 2.0;                   // for messages on their way up and down
constexpr double least_between_reports_s = 0.1;
constexpr double least_between_direct_answers_s = 1.0;
constexpr double neighbour_answers_within_s = 0.1;
constexpr double first_wait_for_notice_s = 0.02;
constexpr double longest_wait_for_notice_s = 0.5;

bool has(const std::vector<int> &list, int rank) {
    return std::find(list.begin(), list.end(), rank) != list.end();
}

bool add_once(std::vector<int> &list, int rank) {
    if (has(list, rank)) return false;
    list.push_back(rank);
    return true;
}

} // namespace

RollCall::RollCall(Mailbox &mail, RollCallPart mine, double now_s)
    : mail_(mail), mine_(std::move(mine)), me_(mail.rank()), size_(mail.size()), now_s_(now_s),
      slow_at_s_(now_s + std::min(0.3, mine_.patience_s / 16)),
      search_at_s_(now_s + std::min(1.0, mine_.patience_s / 5)), wave_s_(std::min(0.1, mine_.patience_s / 50)),
      give_up_at_s_(now_s + mine_.patience_s), block_leader_(leader_of(me_)), block_last_(last_of_block(me_, size_)),
      searched_to_(me_) {
    came_.add(me_, me_);
}

bool RollCall::leads() const {
    return stage_ == Stage::leading || (stage_ == Stage::looking && parent_ < 0 && now_s_ >= search_at_s_);
}

bool RollCall::step(double now_s) {
    now_s_ = now_s;
    while (take_letter()) {
    }
    if (stage_ == Stage::looking) look();
    if (stage_ == Stage::leading) lead_on();
    if (stage_ == Stage::promised) answer();
    if (stage_ == Stage::telling) tell_neighbour();
    return stage_ != Stage::over;
}

// A letter is kept until it has been handled, even if memory runs out meanwhile.
bool RollCall::take_letter() {
    if (!letter_) letter_ = mail_.next();
    if (!letter_) return false;
    read(*letter_);
    letter_.reset();
    return true;
}

void RollCall::read(const Mail &letter) {
    WireReader in(letter.text);
    const auto version = in.get<std::uint32_t>();
    const auto kind = in.get<Kind>();
    if (!in.good() || version != wire_version || letter.from == me_) return;
    switch (kind) {
    case Kind::here:
        return read_here(letter.from, in);
    case Kind::heard:
        return read_heard(letter.from, in);
    case Kind::word:
        return read_word(letter.from, in);
    case Kind::answer:
        return read_answer(letter.from, in);
    case Kind::go:
        return read_go(in);
    case Kind::went_on:
        return read_went_on(in);
    case Kind::me_too:
        heard_neighbour_ = heard_neighbour_ || letter.from == me_ - 1;
    }
}

template <class... T>
Bytes RollCall::letter(Kind kind, const T &...values) {
    WireWriter out;
    out.pass(wire_version, kind, values...);
    return out.take();
}

template <class... T>
void RollCall::send(int to, Kind kind, const T &...values) const {
    mail_.send(to, letter(kind, values...));
}

void RollCall::read_here(int from, WireReader &in) {
    RankSet theirs;
    if (!theirs.read(in, size_)) return;
    add_once(children_, from);
    came_.add(theirs);
    if (has_promised()) {
        tell_word(from);
    } else if (stage_ == Stage::looking && now_s_ >= slow_at_s_) {
        tell_heard(from);
    }
}

// A process of lower rank has answered: it, or one above it, will send the decision.
void RollCall::read_heard(int from, WireReader &in) {
    const auto rest_s = in.get<double>();
    if (!in.good() || stage_ != Stage::looking || from >= me_) return;
    if (parent_ < 0) parent_ = from;
    if (from != parent_ || !(rest_s >= 0.0)) return;
    const double until_s = now_s_ + rest_s + margin_s;
    const bool is_news = until_s > give_up_at_s_ + 0.5 * margin_s;
    give_up_at_s_ = until_s;
    if (!is_news) return;
    for (const int child : heard_)
        tell_heard(child);
}

// The first word counts. Later leaders must not wait for this process.
void RollCall::read_word(int from, WireReader &in) {
    Word word;
    in.pass(word.root, word.code, word.settings, word.off_because, word.patience_s);
    if (!word.told.read(in, size_) || word.root < 0 || word.root >= size_ || !(word.patience_s >= 0.0)) return;
    if (!word_ && stage_ == Stage::looking) {
        word_ = std::move(word);
        word_from_ = from;
    } else if (has_promised() && word.root != word_->root && !word.settings.empty()) {
        Answers declined;
        declined.answered.add(me_, me_);
        send(from, Kind::answer, declined);
    }
}

void RollCall::read_answer(int from, WireReader &in) {
    Answers theirs;
    if (!has_promised() || !theirs.confirmed.read(in, size_) || !theirs.answered.read(in, size_)) return;
    const bool by_tree = has(told_word_, from);
    if (!by_tree && word_->root != me_) return;
    answers_.add(theirs);
    if (by_tree) {
        answered_by_tree_.add(theirs.answered);
        add_once(answered_here_, from);
    } else {
        direct_.emplace_back(from, theirs.answered);
    }
}

// Passes the list on to those who answered here. The leader knew of their answers when it decided, or they get a
// letter from those in the list.
void RollCall::read_go(WireReader &in) {
    const auto root = in.get<std::int32_t>();
    RankSet present;
    RankSet told;
    if (stage_ != Stage::promised || root != word_->root || !present.read(in, size_) || !told.read(in, size_)) return;
    for (const int to : answered_here_)
        send(to, Kind::go, word_->root, present, told);
    leave_letters(present, told);
    Verdict v{word_->root, word_->code, word_->settings, {}, std::move(present), word_->patience_s};
    if (answers_.confirmed.contains(me_) && !v.present.contains(me_)) {
        v.settings.clear();
        v.late = v.others_record = true;
    }
    verdict_ = std::move(v);
    stage_ = Stage::over;
}

void RollCall::read_went_on(WireReader &in) {
    WentOn letter;
    in.pass(letter.root, letter.records, letter.patience_s, letter.is_first, letter.is_last);
    if (!in.good()) return;
    if (stage_ == Stage::promised) {
        if (letter.root == word_->root) end_late(letter);
    } else if (!went_on_ && (stage_ == Stage::looking || stage_ == Stage::leading)) {
        went_on_ = letter;
    }
}

void RollCall::look() {
    if (!went_on_) read_notice();
    if (went_on_) return end_late(*went_on_);
    if (word_) return take_word();
    if (me_ == 0) return lead();
    if (now_s_ >= slow_at_s_) {
        for (const int child : children_)
            if (!has(heard_, child)) tell_heard(child);
        report_up();
    }
    if (parent_ < 0 && now_s_ >= search_at_s_) search();
    if (now_s_ < give_up_at_s_) return;
    if (parent_ < 0) return lead();
    stage_ = Stage::over; // the process above this one went away
}

// All processes of the job may ask the one board at the same time, so questions get rarer. Before a promise it is
// always read: the word may have waited for this process, and its leader may be gone. If there is no decision yet,
// whoever decides later finds that this process is there, and writes to it.
void RollCall::read_notice() {
    if (!word_ && now_s_ < next_notice_at_s_) return;
    notice_wait_s_ = std::clamp(2 * notice_wait_s_, first_wait_for_notice_s, longest_wait_for_notice_s);
    next_notice_at_s_ = now_s_ + notice_wait_s_;
    const std::optional<Mail> notice = mail_.notice();
    if (!notice) return;
    word_.reset();
    read(*notice);
}

// Reports to the leader of the block once, perhaps in vain; to a process that answered, whenever there is news.
void RollCall::report_up() {
    const int to = parent_ >= 0 ? parent_ : block_leader_;
    if (to == told_ && (parent_ < 0 || came_ == told_came_)) return;
    if (to == told_ && now_s_ < told_at_s_ + least_between_reports_s) return;
    send(to, Kind::here, came_);
    told_ = to;
    told_came_ = came_;
    told_at_s_ = now_s_;
}

// The nearest lower rank is most likely of the same executable; then four times as many are asked, until rank 0. So
// few are asked in vain: an unread letter stays with a process that does not know the library.
void RollCall::search() {
    if (now_s_ < next_wave_at_s_ || searched_to_ == 0) return;
    const std::int32_t to = std::max(searched_to_ - next_wave_, 0);
    for (std::int32_t rank = searched_to_ - 1; rank >= to; --rank)
        if (rank != block_leader_ && !came_.contains(rank)) send(rank, Kind::here, came_);
    searched_to_ = to;
    next_wave_ *= 4;
    next_wave_at_s_ = now_s_ + wave_s_;
}

void RollCall::tell_heard(int to) {
    send(to, Kind::heard, std::max(give_up_at_s_ - now_s_, 0.0));
    add_once(heard_, to);
}

void RollCall::lead() {
    word_ = Word{me_, mine_.code, mine_.settings, mine_.off_because, mine_.patience_s, {}};
    if (!mine_.settings.empty()) {
        answers_.confirmed.add(me_, me_);
        answers_.answered.add(me_, me_);
        if (me_ != 0) give_up_at_s_ = now_s_ + std::min(longest_confirmation_s, mine_.patience_s);
        stage_ = Stage::leading; // others count on this process from its first word on
        return;
    }
    if (me_ != 0) word_->told = came_;
    end_off();
}

// Rank 0 waits for all ranks; another leader waits for those who joined it.
void RollCall::lead_on() {
    if (!all_have_word_) pass_word_on(); // after an exception again, to those without it
    all_have_word_ = true;
    if (went_on_) return give_way();
    const bool all = me_ == 0 ? answers_.answered.covers(0, size_ - 1) : answers_.answered.covers(came_);
    if (!all && now_s_ < give_up_at_s_) return;
    if (!put_up(letter_that_went_on(false, false))) return give_way();
    decide(answers_.confirmed, answers_.confirmed);
    verdict_ = Verdict{me_, word_->code, word_->settings, {}, answers_.confirmed, word_->patience_s};
    stage_ = Stage::over;
}

// False: another leader has decided. If a notice cannot be put up for another reason, late processes wait in vain.
bool RollCall::put_up(const Bytes &notice) {
    if (mail_.put_up(notice)) return true;
    const std::optional<Mail> other = mail_.notice();
    if (!other || other->from == me_) return true;
    read(*other);
    if (!went_on_) went_on_ = WentOn{other->from, false, mine_.patience_s, false, false}; // its word is "off"
    return false;
}

// Others went on just before this process. Those who promised it are late, too, and must not wait any more.
void RollCall::give_way() {
    RankSet me;
    me.add(me_, me_);
    decide({}, me);
    end_late(*went_on_);
}

// Tells everybody: those who answered through those who answered here, the others by letters of the writers.
void RollCall::decide(const RankSet &present, const RankSet &writers) {
    RankSet told = answered_by_tree_;
    told.add(me_, me_);
    std::vector<int> to = answered_here_;
    for (const auto &[from, theirs] : direct_) {
        if (told.covers(theirs)) continue;
        add_once(to, from);
        told.add(theirs);
    }
    for (const int rank : to)
        send(rank, Kind::go, word_->root, present, told);
    leave_letters(writers, told);
}

// Letters to all others, a part of them by each writer, because a single process would need a connection to each.
void RollCall::leave_letters(const RankSet &writers, const RankSet &told) const {
    if (!writers.contains(me_)) return;
    const RankSet missing = RankSet::all(size_).without(told);
    const std::vector<int> ranks = missing.ranks();
    const std::vector<int> by = writers.ranks();
    const auto mine = std::lower_bound(by.begin(), by.end(), me_) - by.begin();
    for (auto i = static_cast<std::size_t>(mine); i < ranks.size(); i += by.size()) {
        const bool is_first = ranks[i] == 0 || !missing.contains(ranks[i] - 1);
        const bool is_last = !missing.contains(ranks[i] + 1);
        mail_.send(ranks[i], letter_that_went_on(is_first, is_last));
    }
}

Bytes RollCall::letter_that_went_on(bool is_first, bool is_last) const {
    return letter(Kind::went_on, word_->root, !word_->settings.empty(), word_->patience_s, is_first, is_last);
}

void RollCall::take_word() {
    if (word_->settings.empty()) return end_off();
    pass_word_on();
    // A process that cannot read the settings passes them on, but nobody may count on it.
    if (!mine_.accepts || mine_.accepts(word_->settings)) answers_.confirmed.add(me_, me_);
    answers_.answered.add(me_, me_);
    slow_at_s_ = now_s_ + std::min(0.3, mine_.patience_s / 16);
    reported_at_s_ = directly_at_s_ = now_s_;
    stage_ = Stage::promised;
}

void RollCall::pass_word_on() {
    if (word_->root == 0)
        for (const int to : led_by(me_, size_))
            tell_word(to);
    for (const int to : children_)
        tell_word(to);
}

Bytes RollCall::letter_of_word() const {
    return letter(Kind::word, word_->root, word_->code, word_->settings, word_->off_because, word_->patience_s,
                  word_->told);
}

void RollCall::tell_word(int to) {
    if (has(told_word_, to) || to == word_from_) return;
    mail_.send(to, letter_of_word());
    told_word_.push_back(to);
}

// Answers go up the tree when all below have answered, or in parts if that takes long. In that case they also go to
// the leader directly, because the process in between may be suspended.
void RollCall::answer() {
    const bool all = word_->root == 0 ? answers_.answered.covers(me_, block_last_) : answers_.answered.covers(came_);
    const bool slow = now_s_ >= slow_at_s_ && now_s_ >= reported_at_s_ + least_between_reports_s;
    if ((all || slow) && reported_ != answers_) {
        send(word_from_, Kind::answer, answers_);
        reported_ = answers_;
        reported_at_s_ = now_s_;
    }
    if (word_from_ == word_->root || reported_directly_ == answers_) return;
    if (now_s_ < directly_at_s_ + std::min(least_between_direct_answers_s, word_->patience_s / 5)) return;
    send(word_->root, Kind::answer, answers_);
    reported_directly_ = answers_;
    directly_at_s_ = now_s_;
}

void RollCall::end_off() {
    if (word_->root == me_)
        static_cast<void>(put_up(me_ == 0 ? letter_of_word() : letter_that_went_on(false, false)));
    pass_word_on();
    leave_letters(word_->told, word_->told);
    verdict_ = Verdict{word_->root, word_->code, {}, word_->off_because, {}, word_->patience_s};
    stage_ = mine_.asks && word_->root != me_ && word_->code == 0 ? Stage::telling : Stage::over;
}

void RollCall::end_late(const WentOn &letter) {
    is_first_ = letter.is_first;
    is_last_ = letter.is_last;
    verdict_ = Verdict{letter.root, 0, {}, {}, {}, letter.patience_s, true, letter.records};
    stage_ = letter.records || mine_.asks ? Stage::telling : Stage::over;
}

// Each process tells the next rank. A process that hears nothing speaks for those behind it.
void RollCall::tell_neighbour() {
    if (!told_neighbour_) {
        if (const std::optional<bool> first = mail_.may_speak()) {
            speaks_ = *first;
            stage_ = Stage::over;
            return;
        }
        if (!is_last_ && me_ + 1 < size_) send(me_ + 1, Kind::me_too);
        telling_until_s_ = now_s_ + neighbour_answers_within_s;
        told_neighbour_ = true;
    }
    speaks_ = is_first_ || me_ == 0 || (!heard_neighbour_ && now_s_ >= telling_until_s_);
    if (speaks_ || heard_neighbour_) stage_ = Stage::over;
}

} // namespace cpl_lb
