// Who is here, who leads, and the one decision.
#include "mpi/roll_call.hpp"

#include "support/switched_off_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <string_view>

namespace cpl_lb {
namespace {

// One server may answer for the whole job. So the questions of one process take at most a twentieth of its time, and
// those of all who wait at most half of the server's.
constexpr double pause_for_a_look = 19;
constexpr double longest_pause_s = 0.25;
constexpr double part_of_server = 0.5;
// What a look takes if nothing is known yet: the first one may be slow because this process was suspended, or because
// thousands asked at once.
constexpr double usual_look_s = 0.001;
constexpr double longest_pause_of_many_s = 10;
constexpr int first_looks = 60; // some 100 microseconds on a node's own board

constexpr const char *decision = "decision";
constexpr const char *others_want_it = "want.other"; // put up by every process but rank 0 that wants to decide

std::string of_rank(const char *what, int rank) {
    return std::string(what) + "." + std::to_string(rank);
}

// What the others read. told: those who hear an "off" that rank 0 did not say.
std::string text_of(const Verdict &v, const RankSet &told) {
    WireWriter out;
    out.pass(v.code, v.settings, v.off_because, v.patience_s, v.present, told);
    const Bytes bytes = out.take();
    return v.version + "\n" + std::to_string(v.root) + "\n" +
           std::string(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

// Whole lines only; empty: there is none.
std::string take_line(std::string_view &text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    std::string line(text.substr(0, end));
    text.remove_prefix(end + 1);
    return line;
}

} // namespace

std::string RollCall::notice_of(int rank) {
    return of_rank("here", rank);
}

CPL_LB_SWITCHED_OFF_PATH RollCall::RollCall(NoticeBoard &board, RollCallPart mine, std::function<double()> now_s)
    : board_(board), mine_(std::move(mine)), now_s_(std::move(now_s)), give_up_at_s_(now_s_() + mine_.patience_s),
      quickest_look_s_(usual_look_s), leads_(mine_.rank == 0) {
    came_.add(mine_.rank, mine_.rank);
}

// Rank 0 often comes within microseconds. Then this process needs no notice, and nobody has to remove it.
bool RollCall::is_decided_soon() {
    if (mine_.asks || !board_.is_on_this_node()) return false;
    for (int looks = 0; looks < first_looks; ++looks) {
        sched_yield();
        if (read_decision()) return true;
    }
    return false;
}

// Switched off, all but rank 0 only read, and it only writes. A decision that counts on this process is not its own:
// it has not said yet that it is here.
CPL_LB_SWITCHED_OFF_PATH RollCall::Arrival RollCall::arrive(const std::function<bool()> &can_join) {
    const bool looks_first = !board_.is_on_this_node(); // a text of several words may else be written in part
    if (mine_.rank == 0 && mine_.settings.empty() && !(looks_first && read_decision())) {
        decide();
        if (!verdict_ && !read_decision()) return Arrival::not_here;
    }
    if (verdict_ || read_decision() || is_decided_soon())
        return verdict_->present.contains(mine_.rank) ? Arrival::not_here : Arrival::over;
    if (!can_join()) return Arrival::cannot_join;
    return board_.put(notice_of(mine_.rank), mine_.version) ? Arrival::announced : Arrival::not_here;
}

bool RollCall::step() {
    const double began_s = now_s_();
    if (began_s < next_look_at_s_) return true;
    if (!look()) return false;
    if (board_.is_on_this_node()) return true;
    const double ended_s = now_s_();
    const double took_s = ended_s - began_s;
    quickest_look_s_ = std::min(quickest_look_s_, took_s);
    const double for_all_s = leads_ ? 0 : quickest_look_s_ * mine_.size / part_of_server;
    const double own_s = std::min(pause_for_a_look * took_s, longest_pause_s);
    next_look_at_s_ = ended_s + std::max(own_s, std::min(for_all_s, longest_pause_of_many_s));
    if (ended_s < give_up_at_s_) next_look_at_s_ = std::min(next_look_at_s_, give_up_at_s_);
    return true;
}

// False: there is a decision.
bool RollCall::look() {
    if (read_decision()) return false;
    if (turn_ == Turn::none && !is_time_to_decide(now_s_())) return true;
    if (!has_the_turn()) return true;
    decide();
    return !verdict_ && !read_decision();
}

bool RollCall::is_here(int rank) {
    const std::optional<std::string> version = board_.get(notice_of(rank));
    if (version && *version == mine_.version) came_.add(rank, rank);
    return version.has_value();
}

// Once for each, and then until its patience is over.
void RollCall::look_for_others() {
    for (int r = 0; !has_looked_for_all_ && r < mine_.size; ++r)
        if (r != mine_.rank) awaited_.push_back(r);
    std::erase_if(awaited_, [this](int rank) {
        const bool is_time = has_looked_for_all_ && now_s_() >= give_up_at_s_;
        return !is_time && is_here(rank);
    });
    has_looked_for_all_ = true;
}

bool RollCall::somebody_lower_is_here() {
    for (int r = 0; r < mine_.rank; ++r)
        if (board_.get(notice_of(r))) return true;
    return false;
}

bool RollCall::leads() {
    return leads_ || (!follows_ && !somebody_lower_is_here());
}

// Who finds a lower process, which is here, waits for it: that one leads, or knows who does.
bool RollCall::is_time_to_decide(double now_s) {
    if (follows_ || (!leads_ && now_s < give_up_at_s_)) return false;
    if (!leads_ && somebody_lower_is_here()) {
        follows_ = true;
        return false;
    }
    leads_ = true;
    look_for_others();
    return awaited_.empty() || now_s >= give_up_at_s_;
}

// Of those who want to decide at the same time one does. A lower process has the right of way; a higher one that
// already passed by is waited for. The winner never gives its turn back.
bool RollCall::has_the_turn() {
    if (board_.first_stays()) return true;
    if (turn_ == Turn::none) {
        if (mine_.rank != 0) static_cast<void>(board_.put(others_want_it, "yes"));
        const std::string wanted = of_rank("want", mine_.rank);
        if (!board_.put(wanted, "yes") && !board_.get(wanted)) return false; // tried again at the next look
        if (lower_wants_it()) {
            static_cast<void>(board_.put(of_rank("yield", mine_.rank), "yes"));
            follows_ = true;
            return false;
        }
        turn_ = Turn::waits_for_higher;
    }
    if (turn_ == Turn::waits_for_higher && !higher_wants_it()) turn_ = Turn::has_it;
    return turn_ == Turn::has_it;
}

bool RollCall::lower_wants_it() {
    for (int r = 0; r < mine_.rank; ++r)
        if (board_.get(of_rank("want", r))) return true;
    return false;
}

bool RollCall::higher_wants_it() {
    if (mine_.rank == 0 && !board_.get(others_want_it)) return false; // whoever wants it from now on sees rank 0
    for (int r = mine_.rank + 1; r < mine_.size; ++r)
        if (board_.get(of_rank("want", r)) && !board_.get(of_rank("yield", r))) return true;
    return false;
}

CPL_LB_SWITCHED_OFF_PATH void RollCall::decide() {
    Verdict v;
    v.root = mine_.rank;
    v.code = mine_.code;
    v.version = mine_.version;
    v.settings = mine_.settings;
    v.off_because = mine_.off_because;
    v.patience_s = mine_.patience_s;
    if (!v.settings.empty()) v.present = came_;
    if (board_.put(decision, text_of(v, mine_.rank == 0 ? RankSet::all(mine_.size) : came_))) {
        v.readable = true;
        verdict_ = std::move(v);
        return;
    }
    if (board_.get(decision)) return; // somebody else was first
    // No room for it: what is short may fit, and whatever cannot be read means "off".
    static_cast<void>(board_.put(decision, ""));
}

CPL_LB_SWITCHED_OFF_PATH bool RollCall::read_decision() {
    const std::optional<std::string> found = board_.get(decision);
    if (!found) return false;
    std::string_view rest = *found;
    Verdict v;
    RankSet told;
    v.version = take_line(rest);
    v.root = std::atoi(take_line(rest).c_str());
    WireReader in(std::as_bytes(std::span(rest)));
    if (v.version == mine_.version) in.pass(v.code, v.settings, v.off_because, v.patience_s);
    v.readable = v.version == mine_.version && v.present.read(in, mine_.size) && told.read(in, mine_.size);
    if (!v.readable) v.settings.clear();
    v.late = v.readable && !(v.settings.empty() ? told : v.present).contains(mine_.rank);
    verdict_ = std::move(v);
    return true;
}

} // namespace cpl_lb
