// The queues of messages, which are late, overtake each other or get lost, and the clocks of the ranks.
#include "tests/mpi/memory_state.hpp"

#include <algorithm>

namespace cpl_lb::testing {
namespace {

constexpr std::int64_t clock_reading_ns = 20;

} // namespace

std::int64_t MemoryWorld::State::read_clock(int rank) {
    now_ns_ += clock_reading_ns;
    const BentClock &c = of(rank).clock;
    return c.offset_ns + now_ns_ + static_cast<std::int64_t>(c.drift * static_cast<double>(now_ns_));
}

std::int64_t MemoryWorld::State::true_time(int rank, std::int64_t local_ns) const {
    const BentClock &c = ranks_[static_cast<std::size_t>(rank)]->clock;
    if (c.drift == 0) return local_ns - c.offset_ns + 1;
    return static_cast<std::int64_t>(static_cast<double>(local_ns - c.offset_ns) / (1 + c.drift)) + 1;
}

std::int64_t MemoryWorld::State::delay(int from, int to) {
    if (setup_.delay_ns) return setup_.delay_ns(from, to, random_);
    return std::uniform_int_distribution(setup_.least_delay_ns, setup_.most_delay_ns)(random_);
}

bool MemoryWorld::State::is_lost(int from, int to, int tag) {
    if (setup_.loses && setup_.loses(from, to, tag)) return true;
    return setup_.lost > 0 && std::uniform_real_distribution(0.0, 1.0)(random_) < setup_.lost;
}

void MemoryWorld::State::send(int from, int to, int tag, std::span<const std::byte> data,
                              std::shared_ptr<bool> taken) {
    const AsWorld as_world(*this);
    ++of(from).traffic.messages;
    of(from).traffic.bytes += static_cast<std::int64_t>(data.size());
    if (is_lost(from, to, tag)) return;
    const auto key = (static_cast<std::uint64_t>(from) << 40U) | (static_cast<std::uint64_t>(to) << 16U) |
                     static_cast<std::uint64_t>(tag);
    std::int64_t &last = last_arrival_[key];
    last = std::max(last, now_ns_ + delay(from, to));
    on_the_way_.push(
        std::make_shared<Parcel>(Parcel{last, sent_++, from, to, tag, {data.begin(), data.end()}, std::move(taken)}));
}

void MemoryWorld::State::deliver_due() {
    while (!on_the_way_.empty() && on_the_way_.top()->arrives_ns <= now_ns_) {
        const std::shared_ptr<Parcel> parcel = on_the_way_.top();
        on_the_way_.pop();
        arrive(parcel);
    }
}

void MemoryWorld::State::arrive(const std::shared_ptr<Parcel> &parcel) {
    Rank &r = of(parcel->to);
    const auto at =
        std::find_if(r.posted.begin(), r.posted.end(), [&](const auto &receive) { return match(*receive, *parcel); });
    if (at == r.posted.end()) {
        r.unexpected.push_back(parcel);
        return;
    }
    give(**at, *parcel);
    r.posted.erase(at);
    r.news = true;
    if (r.is == Rank::Is::asleep && !r.deaf) wake(parcel->to);
}

bool MemoryWorld::State::match(Receive &receive, const Parcel &parcel) {
    return receive.tag == parcel.tag && (receive.from == any_rank || receive.from == parcel.from);
}

void MemoryWorld::State::give(Receive &receive, const Parcel &parcel) {
    receive.too_long = parcel.bytes.size() > receive.size;
    if (!receive.too_long) receive.bytes = parcel.bytes;
    receive.source = parcel.from;
    receive.done = true;
    Traffic &traffic = of(parcel.to).traffic;
    ++traffic.messages_received;
    traffic.bytes_received += static_cast<std::int64_t>(parcel.bytes.size());
    if (!parcel.taken) return;
    *parcel.taken = true;
    Rank &sender = of(parcel.from);
    sender.news = true;
    if (sender.is == Rank::Is::asleep && !sender.deaf) wake(parcel.from);
}

void MemoryWorld::State::ask(int rank, const std::shared_ptr<Receive> &receive) {
    const AsWorld as_world(*this);
    Rank &r = of(rank);
    const auto at = std::find_if(r.unexpected.begin(), r.unexpected.end(),
                                 [&](const auto &parcel) { return match(*receive, *parcel); });
    if (at == r.unexpected.end()) {
        r.posted.push_back(receive);
        return;
    }
    give(*receive, **at);
    r.unexpected.erase(at);
}

} // namespace cpl_lb::testing
