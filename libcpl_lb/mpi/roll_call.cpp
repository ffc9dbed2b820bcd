// The roll call of cpl_lb_init as a machine of states that is stepped: see the header.
#include "mpi/roll_call.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

constexpr std::uint32_t wire_version = 0x4c420002; // other versions of the library are as good as missing
constexpr double share_below = 0.8;                // of the time for confirmations, on the next level
constexpr double margin_s = 2.0;                   // for messages on their way up and down
constexpr double quiet_when_off_s = 5.0;           // nobody new for so long: those who lack the library do not come
constexpr double linger_s = 0.1;
constexpr double least_between_reports_s = 0.1;

// The rank that leads the smallest block of 4, 16, 64, ... in which `rank` is not the first; -1 for rank 0.
int leader_of(int rank) {
    if (rank == 0) return -1;
    std::int64_t block = roll_call_block;
    while (rank % block == 0)
        block *= roll_call_block;
    return static_cast<int>(rank - rank % block);
}

std::int32_t last_of_block(int rank, int size) {
    std::int64_t block = 1;
    while (block < size && rank % (block * roll_call_block) == 0)
        block *= roll_call_block;
    return static_cast<std::int32_t>(std::min<std::int64_t>(rank + block, size) - 1);
}

bool add_once(std::vector<int> &list, int rank) {
    if (std::find(list.begin(), list.end(), rank) != list.end()) return false;
    list.push_back(rank);
    return true;
}

} // namespace

RollCall::RollCall(Mailbox &mail, RollCallPart mine, double now_s)
    : mail_(mail), mine_(std::move(mine)), me_(mail.rank()), size_(mail.size()), now_s_(now_s),
      slow_at_s_(now_s + std::min(0.3, mine_.patience_s / 16)),
      search_at_s_(now_s + std::min(1.0, mine_.patience_s / 5)), wave_s_(std::min(0.1, mine_.patience_s / 50)),
      give_up_at_s_(now_s + mine_.patience_s), block_leader_(leader_of(me_)), block_last_(last_of_block(me_, size_)),
      searched_to_(me_), last_arrival_s_(now_s) {
    came_.add(me_, me_);
    if (mine_.asks) first_asker_ = me_;
}

bool RollCall::step(double now_s) {
    now_s_ = now_s;
    while (std::optional<Mail> letter = mail_.next())
        read(*letter);
    switch (stage_) {
    case Stage::gathering:
        gather();
        break;
    case Stage::confirming:
        if (unconfirmed_.empty() || now_s_ >= stage_ends_at_s_) confirm_up();
        break;
    case Stage::waiting_for_go:
        if (now_s_ >= stage_ends_at_s_) {
            verdict_.reset();
            stage_ = Stage::over;
        }
        break;
    case Stage::lingering:
        linger();
        break;
    case Stage::over:
        break;
    }
    return stage_ != Stage::over;
}

void RollCall::read(const Mail &letter) {
    WireReader in(letter.text);
    const auto version = in.get<std::uint32_t>();
    const auto kind = in.get<Kind>();
    if (!in.good() || version != wire_version) return;
    switch (kind) {
    case Kind::here:
        return read_here(letter.from, in);
    case Kind::heard:
        return read_heard(letter.from, in);
    case Kind::verdict:
        return read_verdict(letter.from, in);
    case Kind::confirm:
        return read_confirm(letter.from, in);
    case Kind::go:
        return read_go(letter.from, in);
    }
}

namespace {

template <class Kind>
WireWriter letter_of(Kind kind) {
    WireWriter out;
    out.put(wire_version);
    out.put(kind);
    return out;
}

} // namespace

void RollCall::read_here(int from, WireReader &in) {
    RankSet theirs;
    if (!theirs.read(in, size_)) return;
    const auto asker = in.get<std::int32_t>();
    if (!in.good()) return;
    if (asker >= 0 && (first_asker_ < 0 || asker < first_asker_)) first_asker_ = asker;
    add_once(children_, from);
    came_.add(theirs);
    last_arrival_s_ = now_s_;
    if (verdict_) {
        tell_verdict(from);
        if (stage_ == Stage::lingering && !verdict_->settings.empty()) tell_go(from); // it is too late
    } else if (now_s_ >= slow_at_s_) {
        tell_heard(from);
    }
}

// The answer of a process of lower rank: it, or one above it, will say what holds.
void RollCall::read_heard(int from, WireReader &in) {
    const auto rest_s = in.get<double>();
    if (!in.good() || stage_ != Stage::gathering || from >= me_) return;
    if (parent_ < 0) parent_ = from;
    if (from != parent_ || !(rest_s >= 0.0)) return;
    const double until_s = now_s_ + rest_s + margin_s;
    const bool is_news = until_s > give_up_at_s_ + 0.5 * margin_s;
    give_up_at_s_ = until_s;
    if (!is_news) return;
    for (const int child : heard_)
        tell_heard(child);
}

void RollCall::read_verdict(int from, WireReader &in) {
    Verdict v;
    v.root = in.get<std::int32_t>();
    v.code = in.get<std::int32_t>();
    v.settings = in.get_text();
    const auto confirm_s = in.get<double>();
    v.patience_s = in.get<double>();
    if (!v.present.read(in, size_) || !(v.patience_s >= 0.0) ||
        !(confirm_s >= 0.0 && confirm_s <= longest_confirmation_s))
        return;
    if (stage_ != Stage::gathering) { // a second way: who sent it must not wait for this process
        if (from != verdict_from_) {
            WireWriter out = letter_of(Kind::confirm);
            RankSet().write(out);
            mail_.send(from, out.take());
        }
        return;
    }
    verdict_ = std::move(v);
    verdict_from_ = from;
    confirm_s_ = confirm_s;
    pass_verdict_on();
}

void RollCall::read_confirm(int from, WireReader &in) {
    RankSet theirs;
    if (stage_ != Stage::confirming || !theirs.read(in, size_)) return;
    confirmed_.add(theirs);
    unconfirmed_.erase(std::remove(unconfirmed_.begin(), unconfirmed_.end(), from), unconfirmed_.end());
}

// Only from where the verdict came: a second leader's list is for those who confirmed to it.
void RollCall::read_go(int from, WireReader &in) {
    RankSet present;
    const bool waits = from == verdict_from_ && (stage_ == Stage::waiting_for_go || stage_ == Stage::confirming);
    if (waits && present.read(in, size_)) end_with(std::move(present));
}

bool RollCall::block_is_complete() const {
    return came_.covers(me_, block_last_);
}

// Only rank 0 knows at once that nobody below it may say otherwise.
bool RollCall::knows_it_is_off() const {
    return me_ == 0 && mine_.settings.empty();
}

void RollCall::gather() {
    if (knows_it_is_off() || (me_ == 0 && block_is_complete())) return decide();
    if (now_s_ >= slow_at_s_)
        for (const int child : children_)
            if (std::find(heard_.begin(), heard_.end(), child) == heard_.end()) tell_heard(child);
    report_up();
    if (me_ != 0 && parent_ < 0 && now_s_ >= search_at_s_) search();
    if (now_s_ < give_up_at_s_) return;
    if (parent_ < 0) return decide();
    stage_ = Stage::over; // who is above this process went away
}

void RollCall::report_up() {
    const int to = parent_ >= 0 ? parent_ : block_leader_;
    if (to < 0 || (to == told_ && came_ == told_came_)) return;
    const bool complete = block_is_complete();
    if (!complete && now_s_ < slow_at_s_) return;
    const bool told_complete = told_came_.covers(me_, block_last_);
    if (to == told_ && parent_ < 0 && (!complete || told_complete)) return; // perhaps nobody is there to read more
    if (to == told_ && !complete && now_s_ < told_at_s_ + least_between_reports_s) return;
    WireWriter out = letter_of(Kind::here);
    came_.write(out);
    out.put(first_asker_);
    mail_.send(to, out.take());
    told_ = to;
    told_came_ = came_;
    told_at_s_ = now_s_;
}

// The nearest lower rank is most likely of the same executable; after it four times as many, until rank 0. Few are
// asked in vain: what nobody receives stays with a process that does not know the library.
void RollCall::search() {
    if (now_s_ < next_wave_at_s_ || searched_to_ == 0) return;
    WireWriter out = letter_of(Kind::here);
    came_.write(out);
    out.put(first_asker_);
    const Bytes text = out.take();
    const std::int32_t to = std::max(searched_to_ - next_wave_, 0);
    for (std::int32_t rank = searched_to_ - 1; rank >= to; --rank)
        if (rank != block_leader_ && !came_.contains(rank)) mail_.send(rank, text);
    searched_to_ = to;
    next_wave_ *= 4;
    next_wave_at_s_ = now_s_ + wave_s_;
}

void RollCall::tell_heard(int to) {
    WireWriter out = letter_of(Kind::heard);
    out.put(std::max(give_up_at_s_ - now_s_, 0.0));
    mail_.send(to, out.take());
    add_once(heard_, to);
}

void RollCall::decide() {
    Verdict v;
    v.root = me_;
    v.code = mine_.code;
    v.settings = mine_.settings;
    v.patience_s = mine_.patience_s;
    if (!v.settings.empty()) v.present = came_;
    verdict_ = std::move(v);
    pass_verdict_on();
}

void RollCall::tell_verdict(int to) {
    WireWriter out = letter_of(Kind::verdict);
    out.put(verdict_->root);
    out.put(verdict_->code);
    out.put(verdict_->settings);
    out.put(confirm_s_ * share_below); // who is below has to answer before this process does
    out.put(verdict_->patience_s);
    verdict_->present.write(out);
    mail_.send(to, out.take());
}

void RollCall::pass_verdict_on() {
    for (const int child : children_)
        tell_verdict(child);
    last_arrival_s_ = now_s_;
    if (verdict_->settings.empty()) {
        stage_ = Stage::lingering;
        return linger();
    }
    stage_ = Stage::confirming;
    unconfirmed_ = children_;
    // A process that cannot read the settings passes the verdict on, but must not be waited for.
    if (!mine_.accepts || mine_.accepts(verdict_->settings)) confirmed_.add(me_, me_);
    stage_ends_at_s_ = now_s_ + confirm_s_;
    if (unconfirmed_.empty()) confirm_up();
}

void RollCall::confirm_up() {
    if (verdict_from_ < 0) return end_with(confirmed_);
    WireWriter out = letter_of(Kind::confirm);
    confirmed_.write(out);
    mail_.send(verdict_from_, out.take());
    stage_ = Stage::waiting_for_go;
    // Who confirmed is counted on: it waits as long as the root would for others.
    stage_ends_at_s_ = now_s_ + std::max(longest_confirmation_s + margin_s, verdict_->patience_s);
}

void RollCall::tell_go(int to) {
    WireWriter out = letter_of(Kind::go);
    verdict_->present.write(out);
    mail_.send(to, out.take());
}

// Who confirmed and is in the list goes on together; a process that is not in it was too late.
void RollCall::end_with(RankSet present) {
    verdict_->present = std::move(present);
    for (const int child : children_)
        tell_go(child);
    stage_ = verdict_->present.count() == size_ ? Stage::over : Stage::lingering;
    last_arrival_s_ = now_s_;
}

// Those who come now are told the verdict and need not find out by waiting.
void RollCall::linger() {
    if (block_is_complete()) {
        stage_ = Stage::over;
        return;
    }
    const double quiet_s = verdict_->settings.empty() ? std::min(quiet_when_off_s, mine_.patience_s) : linger_s;
    if (now_s_ >= last_arrival_s_ + quiet_s) stage_ = Stage::over;
}

} // namespace cpl_lb
