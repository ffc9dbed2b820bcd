// Packets of ESMF's traces to the calls of component phases on one PET.
#include "run/imported/esmf_trace.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace cpl_lb {

// Reads little-endian numbers and strings one after the other, aligned as CTF aligns them, never past the end.
class ByteCursor {
public:
    explicit ByteCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }

    void align(std::size_t to) { skip((to - at_ % to) % to); }
    void skip(std::size_t count) {
        if (count > bytes_.size() - at_) good_ = false;
        at_ += std::min(count, bytes_.size() - at_);
    }
    // Numbers of which the first is at the next multiple of its own size.
    template <class Number>
    void skip_numbers(std::size_t count) {
        align(sizeof(Number));
        skip(count * sizeof(Number));
    }
    // The same; 0 if the bytes end before.
    template <class Number>
    [[nodiscard]] Number number() {
        align(sizeof(Number));
        if (bytes_.size() - at_ < sizeof(Number)) {
            good_ = false;
            return 0;
        }
        Number value = 0;
        for (std::size_t i = 0; i < sizeof(Number); ++i)
            value = static_cast<Number>(value | static_cast<Number>(bytes_[at_ + i]) << 8U * i);
        at_ += sizeof(Number);
        return value;
    }
    // Reads up to the next zero byte, and that, too.
    [[nodiscard]] std::string_view text() {
        const auto *const all = reinterpret_cast<const char *>(bytes_.data()); // NOLINT: bytes as characters
        const std::string_view rest = std::string_view(all, bytes_.size()).substr(at_);
        const std::string_view found = rest.substr(0, rest.find('\0'));
        if (found.size() == rest.size()) {
            good_ = false;
            return {};
        }
        at_ += found.size() + 1;
        return found;
    }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
    bool good_ = true;
};
namespace {

constexpr std::uint32_t packet_magic = 0xc1fc1fc1;
constexpr std::array<std::uint8_t, 16> uuid_bytes = {0x21, 0xc4, 0xe0, 0x78, 0xa5, 0xc7, 0x11, 0xe8,
                                                     0x85, 0x29, 0x34, 0xf3, 0x9a, 0xea, 0xad, 0x30};
// The events by their numbers in the metadata. Events without a name here are skipped.
enum EventId : std::uint8_t {
    last_phase_event = 3, // 0 to 3: prologue, epilogue, phases by component
    region_enter = 4,
    region_exit = 5,
    define_region = 6,
    regionid_enter = 7,
    regionid_exit = 8,
    component_names = 9,
    memory = 10,
    model_clock = 11,
    mpi_wait = 12,
    region_profile = 13
};

struct Packet {
    std::string_view node;
    std::uint32_t pet = 0;
    std::size_t bytes = 0;   // of the packet
    std::size_t content = 0; // of its header and events
    std::size_t events = 0;  // where they begin
    bool foreign = false;
};

// The header of the packet that `bytes` begin with; none if it cannot be one.
std::optional<Packet> packet_at(std::span<const std::byte> bytes) {
    ByteCursor cursor(bytes);
    if (cursor.number<std::uint32_t>() != packet_magic || !cursor.good()) return std::nullopt;
    Packet packet;
    for (const std::uint8_t expected : uuid_bytes)
        packet.foreign = packet.foreign || cursor.number<std::uint8_t>() != expected;
    if (packet.foreign) return cursor.good() ? std::optional(packet) : std::nullopt;
    cursor.skip_numbers<std::uint64_t>(2);             // time of its begin and end
    packet.bytes = cursor.number<std::uint32_t>() / 8; // they are bits in the file
    packet.content = cursor.number<std::uint32_t>() / 8;
    packet.node = cursor.text();
    packet.pet = cursor.number<std::uint32_t>();
    packet.events = cursor.at();
    const bool fits = packet.events <= packet.content && packet.content <= packet.bytes;
    if (!cursor.good() || !fits || packet.pet > 0x7fffffff) return std::nullopt;
    return packet;
}

Nanoseconds time_of(std::uint64_t ns) {
    return static_cast<Nanoseconds>(std::min(ns, static_cast<std::uint64_t>(latest_esmf_time)));
}

// Follows the begins and ends of the regions of one PET.
class CallTree {
public:
    explicit CallTree(EsmfStream &stream) : stream_(stream) {}

    void define(std::uint16_t id, bool is_phase, EsmfMethod method, std::string_view name) {
        known_[id] = {.is_phase = is_phase, .method = method, .name = std::string(name)};
    }
    void note_time(Nanoseconds at) {
        if (!std::exchange(any_, true)) stream_.first = at;
        stream_.last = std::max(stream_.last, at);
    }
    void enter(std::uint16_t id, Nanoseconds at);
    void leave(std::uint16_t id, Nanoseconds at);
    void note_profile() { stream_.has_profile = true; }
    // ESMF's own count of the calls that ended.
    void profile(std::uint16_t id, std::uint32_t calls) {
        const auto known = known_.find(id);
        if (known == known_.end() || !known->second.is_phase) return;
        if (calls > known->second.ended) missing_by_profile_ += calls - known->second.ended;
    }
    // Called after the last event: the profile may know of calls without begin and end.
    void end() { stream_.lost_calls = std::max(stream_.lost_calls, missing_by_profile_); }

private:
    struct Known {
        bool is_phase = false;
        EsmfMethod method = EsmfMethod::other;
        std::string name;
        std::uint32_t region = EsmfRegion::none; // in the tree, once it was entered
        std::uint32_t ended = 0;
    };
    struct Open {
        std::uint16_t id;
        std::size_t call; // in stream_.calls; no_call: no phase
    };
    static constexpr std::size_t no_call = std::numeric_limits<std::size_t>::max();

    EsmfStream &stream_;
    bool any_ = false; // event that was noted
    std::map<std::uint16_t, Known> known_;
    std::vector<Open> open_;
    std::int64_t missing_by_profile_ = 0;
};

void CallTree::enter(std::uint16_t id, Nanoseconds at) {
    const auto [found, is_new] = known_.try_emplace(id);
    Known &known = found->second;
    if (is_new) ++stream_.lost_calls; // its definition
    if (!known.is_phase) {
        open_.push_back({id, no_call});
        return;
    }
    if (known.region == EsmfRegion::none) {
        EsmfRegion region{.name = known.name, .method = known.method};
        const auto is_phase = [](const Open &open) { return open.call != no_call; };
        const auto around = std::find_if(open_.rbegin(), open_.rend(), is_phase);
        if (around != open_.rend()) {
            region.parent = stream_.calls[around->call].region;
            region.depth = stream_.regions[region.parent].depth + 1;
        }
        known.region = static_cast<std::uint32_t>(stream_.regions.size());
        stream_.regions.push_back(std::move(region));
    }
    open_.push_back({id, stream_.calls.size()});
    stream_.calls.push_back({known.region, at, absent});
}

void CallTree::leave(std::uint16_t id, Nanoseconds at) {
    const auto is_it = [&](const Open &o) { return o.id == id; };
    const auto found = std::find_if(open_.rbegin(), open_.rend(), is_it);
    if (found == open_.rend()) {
        ++stream_.lost_calls; // its begin
        return;
    }
    // Calls that began inside it and have not ended have lost their ends.
    stream_.lost_calls += found - open_.rbegin();
    open_.erase(found.base(), open_.end());
    const Open open = open_.back();
    open_.pop_back();
    ++known_[id].ended;
    if (open.call == no_call) return;
    EsmfCall &call = stream_.calls[open.call];
    call.exit = std::max(at, call.enter); // the clock of a node may step back
}

// False if the rest of the packet cannot be read.
bool read_event(ByteCursor &cursor, CallTree &tree) {
    const auto id = cursor.number<std::uint8_t>();
    const Nanoseconds at = time_of(cursor.number<std::uint64_t>());
    if (!cursor.good() || id > region_profile) return false;
    tree.note_time(at);
    if (id <= last_phase_event) {
        cursor.skip(6); // vmid, baseid, method, phase
    } else if (id == region_enter || id == region_exit) {
        static_cast<void>(cursor.text());
    } else if (id == define_region) {
        const auto region = cursor.number<std::uint16_t>();
        const bool is_phase = cursor.number<std::uint8_t>() == 0;
        cursor.skip_numbers<std::uint16_t>(2); // vmid, baseid: they belong to the PET
        // 3 and more are other methods
        const auto method = static_cast<EsmfMethod>(std::min<std::uint8_t>(cursor.number<std::uint8_t>(), 3));
        cursor.skip(1); // phase
        const std::string_view name = cursor.text();
        if (cursor.good()) tree.define(region, is_phase, method, name);
    } else if (id == regionid_enter || id == regionid_exit) {
        const auto region = cursor.number<std::uint16_t>();
        if (!cursor.good()) return false;
        if (id == regionid_enter)
            tree.enter(region, at);
        else
            tree.leave(region, at);
    } else if (id == component_names) {
        cursor.skip(4); // vmid, baseid
        for (int i = 0; i < 4; ++i)
            static_cast<void>(cursor.text());
    } else if (id == memory) {
        cursor.skip(8);
    } else if (id == model_clock) {
        cursor.skip(7);
    } else if (id == mpi_wait) {
        cursor.skip_numbers<std::uint32_t>(1);
        cursor.skip_numbers<std::uint64_t>(1);
    } else {
        const auto region = cursor.number<std::uint16_t>();
        cursor.skip_numbers<std::uint16_t>(1); // parent
        cursor.skip_numbers<std::uint64_t>(2); // total, self
        const auto calls = cursor.number<std::uint32_t>();
        cursor.skip_numbers<std::uint64_t>(4); // longest, shortest, mean, spread
        if (cursor.good()) tree.profile(region, calls);
        tree.note_profile();
    }
    return cursor.good();
}

// False if some of its events could not be read.
bool read_packet(std::span<const std::byte> content, std::size_t events, CallTree &tree) {
    ByteCursor cursor(content);
    cursor.skip(events);
    while (true) {
        cursor.align(8);
        if (cursor.at_end()) return true;
        if (!read_event(cursor, tree)) return false;
    }
}

} // namespace

bool begins_esmf_stream(std::span<const std::byte> bytes) {
    return packet_at(bytes).has_value();
}

EsmfStream read_esmf_stream(std::string name, std::span<const std::byte> bytes) {
    EsmfStream stream;
    stream.name = std::move(name);
    CallTree tree(stream);
    stream.bytes = bytes.size();
    while (!bytes.empty()) {
        const std::optional<Packet> packet = packet_at(bytes);
        if (!packet || packet->foreign) {
            stream.foreign = packet && stream.pet < 0; // later ones are damaged
            ++stream.damaged_packets;                  // and where the next one begins is not known
            break;
        }
        if (stream.pet < 0) {
            stream.pet = static_cast<std::int32_t>(packet->pet);
            stream.node = packet->node;
        }
        const bool is_cut = packet->content > bytes.size();
        const bool is_good = read_packet(bytes.first(std::min(packet->content, bytes.size())), packet->events, tree);
        if (is_cut || !is_good) ++stream.damaged_packets;
        bytes = bytes.subspan(std::min(packet->bytes, bytes.size()));
    }
    tree.end();
    return stream;
}

} // namespace cpl_lb
