// The component with fewer processes that have messages of a field numbers these messages; if equal, the receiving
// one. Letters go between the processes that had messages with each other.
#include "run/live/steps/tie_messages.hpp"

#include "events/message_numbers.hpp"
#include "run/live/unite.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace cpl_lb {
namespace {

// Values that processes know by name, text or numbers, become one list, the same on all of them.
template <class Value>
using NamedValues = std::map<std::string, Value>;

// combine(mine, theirs) changes mine if two processes know the same name.
template <class Value, class Combine>
void share_named(Group &group, NamedValues<Value> &values, Combine combine) {
    const auto unite = [&](NamedValues<Value> &mine, const NamedValues<Value> &theirs) {
        for (const auto &[name, value] : theirs)
            if (const auto [at, is_new] = mine.try_emplace(name, value); !is_new) combine(at->second, value);
    };
    unite_up(group, "shared names", values, unite);
    tell_all(group, "shared names", values);
}

constexpr int note_tag = 28;   // of a letter: who sends how many bytes
constexpr int letter_tag = 29; // the letter itself

struct Note {
    std::int64_t sender = 0, bytes = 0;
};

// As the partner sees it: its own kind, and the name, which has the tag.
using Channel = std::tuple<Kind, std::string, std::uint32_t>; // and the partner's rank in the model
using ToldNumbers = std::map<Channel, std::vector<std::uint32_t>>;

bool any_of_group(Group &group, bool mine) {
    auto flag = static_cast<std::uint8_t>(mine ? 1 : 0);
    reduce_for_all(group, std::span(&flag, 1), keep_larger);
    return flag != 0;
}

// How many processes of two components have messages of a field for each other, and how many messages.
struct Involved {
    std::uint64_t senders = 0, receivers = 0, sent = 0, received = 0;
};

// The processes that take part, their components, and which process gives the numbers of which messages. Components
// by their place in `names`.
class Partners {
public:
    explicit Partners(const std::vector<std::string> &names) : names_(names) {}

    void agree(Group &present, const ProcessRecord &record, const DecodedRecord &decoded) {
        std::vector<std::uint32_t> components(static_cast<std::size_t>(present.size()));
        const auto me = static_cast<std::size_t>(present.index());
        const auto own = std::ranges::find(names_, decoded.component_names.front());
        mine_ = components[me] = static_cast<std::uint32_t>(own - names_.begin());
        reduce_for_all(present, std::span(components), keep_larger);
        int index = 0;
        for (const std::uint32_t component : components) {
            const int rank = rank_at(present, index);
            of_process_[static_cast<std::uint32_t>(record.process_map.in_model(rank))] = {index++, component};
            if (component == mine_) own_.push_back(rank);
        }
        agree_on_channels(present, record, decoded.fields);
    }
    [[nodiscard]] int index_of(std::uint32_t peer) const { return of_process_.at(peer).index; }
    [[nodiscard]] const std::vector<int> &own_component() const { return own_; } // ranks
    // Whether this process numbers its messages with that one: its component has fewer processes with messages, or as
    // many, and receives.
    [[nodiscard]] bool gives(Kind kind, const std::string &field, std::uint32_t peer) const {
        const auto at = of_process_.find(peer);
        if (at == of_process_.end()) return false; // takes no part in terminate
        const auto found = involved_.find(channel(kind, field, at->second.component));
        if (found == involved_.end()) return false;
        const Involved &involved = found->second;
        return kind == Kind::get ? involved.receivers <= involved.senders : involved.senders < involved.receivers;
    }

    // Sent messages without a completed receive, by pair of components: both may name a field differently.
    [[nodiscard]] std::int64_t never_received() const {
        std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sent_and_received; // by both components
        for (const auto &[channel, involved] : involved_) {
            auto &[sent, received] = sent_and_received[channel.substr(0, channel.find(' ', channel.find(' ') + 1))];
            sent += involved.sent;
            received += involved.received;
        }
        std::uint64_t all = 0;
        for (const auto &[components, messages] : sent_and_received)
            all += messages.first - std::min(messages.first, messages.second);
        return static_cast<std::int64_t>(all);
    }

    // The parts of a program have no names while it runs, so the partners of a field's messages give the counterpart.
    void name_counterparts(const std::vector<MessageLog> &logs, std::vector<LocalField> &fields) const {
        std::map<std::uint32_t, std::map<std::uint32_t, std::uint64_t>> others;
        for (const MessageLog &log : logs)
            if (log.field < fields.size() && fields[log.field].counterpart.empty())
                others[log.field].merge(messages_of(log));
        for (const auto &[field, components] : others)
            if (components.size() == 1) fields[field].counterpart = names_[components.begin()->first];
    }

    // The same for the roots of collective operations. Their fields have ended with a rank so far.
    void name_roots(const std::vector<RootOfField> &roots, std::vector<LocalField> &fields) const {
        for (const RootOfField &root : roots) {
            const auto at = of_process_.find(static_cast<std::uint32_t>(root.rank));
            if (at == of_process_.end() || root.field >= fields.size()) continue; // takes no part in terminate
            std::string &name = fields[root.field].name;
            const std::string rank = fmt::format("{}{}", root_by_rank, root.rank);
            if (name.ends_with(rank))
                name.replace(name.size() - rank.size(), rank.size(), names_[at->second.component]);
        }
    }

private:
    struct Process {
        int index = 0; // in the group
        std::uint32_t component = 0;
    };
    // The components that a log has messages with, and how many: each once, however many calls had to do with it.
    [[nodiscard]] std::map<std::uint32_t, std::uint64_t> messages_of(const MessageLog &log) const {
        ByPeer<std::uint64_t> of_peer;
        for (const LoggedMessage m : log.messages)
            of_peer[m & logged_peer] += (m & (logged_next | logged_again)) == 0 ? 1 : 0;
        std::map<std::uint32_t, std::uint64_t> others;
        for (const auto &[peer, messages] : of_peer.values())
            if (const auto at = of_process_.find(peer); at != of_process_.end())
                others[at->second.component] += messages;
        return others;
    }
    [[nodiscard]] std::string channel(Kind kind, const std::string &field, std::uint32_t other) const {
        const auto [from, to] = kind == Kind::put ? std::pair(mine_, other) : std::pair(other, mine_);
        return fmt::format("{} {} {}", from, to, field);
    }
    void agree_on_channels(Group &present, const ProcessRecord &record, const std::vector<LocalField> &fields) {
        for (const MessageLog &log : record.messages) {
            if (log.field >= fields.size()) continue;
            for (const auto &[other, messages] : messages_of(log)) {
                Involved &involved = involved_[channel(log.kind, fields[log.field].name, other)];
                (log.kind == Kind::put ? involved.senders : involved.receivers) = 1;
                (log.kind == Kind::put ? involved.sent : involved.received) += messages;
            }
        }
        share_named(present, involved_, [](Involved &mine, const Involved &theirs) {
            mine.senders += theirs.senders;
            mine.receivers += theirs.receivers;
            mine.sent += theirs.sent;
            mine.received += theirs.received;
        });
    }

    const std::vector<std::string> &names_;
    std::unordered_map<std::uint32_t, Process> of_process_; // by its rank in the model
    std::uint32_t mine_ = 0;
    std::vector<int> own_;
    NamedValues<Involved> involved_; // by channel()
};

struct OwnLog {
    const MessageLog *log = nullptr;
    PlacesOfPeer places;   // of the messages that this process gives the numbers of, until it has
    NumbersOfPeer numbers; // that this process gives, and later all
};

std::string key_of(Kind kind, const LocalField &field) {
    return fmt::format("{} {}\n{}", name_of(kind), field.name, field.counterpart);
}

// At most eight times, with a rest of a tenth at most.
bool goes_into(std::uint32_t part, std::uint32_t whole) {
    const std::uint32_t times = (whole + part / 2) / part;
    const std::uint32_t all = times * part;
    return times <= 8 && (all > whole ? all - whole : whole - all) <= part / 10;
}

// The letter of each process of the group.
std::map<int, Bytes> letters_of(const std::vector<OwnLog> &logs, const std::vector<LocalField> &fields,
                                const Partners &partners) {
    std::map<int, WireWriter> letters;
    for (const OwnLog &own : logs) {
        for (const auto &[peer, numbers] : own.numbers) {
            if (just_counts(numbers)) continue;
            WireWriter &letter = letters[partners.index_of(peer)];
            letter.put(own.log->kind == Kind::put ? Kind::get : Kind::put);
            letter.put(fields[own.log->field].name);
            letter.put(static_cast<std::uint64_t>(numbers.size()));
            letter.put(pack_numbers(numbers));
        }
    }
    std::map<int, Bytes> bytes;
    for (auto &[to, letter] : letters)
        bytes[to] = letter.take();
    return bytes;
}

void read_letter(const Bytes &bytes, std::uint32_t sender, ToldNumbers &told) {
    WireReader in(bytes);
    while (!in.done()) {
        const auto kind = in.get<Kind>();
        std::string name = in.get_text();
        const auto most = in.get<std::uint64_t>();
        const auto words = in.get_vector<std::uint32_t>();
        told[{kind, std::move(name), sender}] = unpack_numbers(words, static_cast<std::size_t>(most));
    }
    in.finish("numbers of messages");
}

void exchange_letters(Group &present, const ProcessRecord &record, const std::map<int, Bytes> &letters,
                      ToldNumbers &told) {
    if (!any_of_group(present, !letters.empty())) return;
    std::vector<std::uint32_t> awaited(static_cast<std::size_t>(present.size()));
    for (const auto &[to, letter] : letters)
        awaited[static_cast<std::size_t>(to)] = 1;
    reduce_for_all(present, std::span(awaited), sum_up);
    Transport &t = present.transport();
    const auto rank_of = [&](std::int64_t index) { return present.ranks()[static_cast<std::size_t>(index)]; };
    std::vector<Letter> sent;
    for (const auto &[to, letter] : letters) {
        const Note note{present.index(), static_cast<std::int64_t>(letter.size())};
        sent.push_back(t.start_send(rank_of(to), note_tag, as_wire(note)));
        sent.push_back(t.start_send(rank_of(to), letter_tag, letter));
    }
    for (std::uint32_t n = awaited[static_cast<std::size_t>(present.index())]; n > 0; --n) {
        Note note;
        t.receive(any_rank, note_tag, as_wire_out(note));
        if (note.sender < 0 || note.sender >= present.size() || note.bytes < 0)
            throw DamagedMessage("numbers of messages");
        Bytes letter(static_cast<std::size_t>(note.bytes));
        t.receive(rank_of(note.sender), letter_tag, letter);
        read_letter(letter, static_cast<std::uint32_t>(record.process_map.in_model(rank_of(note.sender))), told);
    }
    t.wait(sent);
}

// If this process has twice as many messages with one partner as with another, its own times decide whether these
// are two in each exchange. 0: the times are not needed.
std::uint32_t known_exchanges(const ProcessRecord &record, const DecodedRecord &decoded) {
    const std::vector<std::uint32_t> counts = messages_with_partners(record.messages);
    return may_be_several_in_each(counts) ? nearest_count(counts, count_own_bursts(record, decoded)) : 0;
}

// A process with one partner does not know how many messages with it form one exchange; others of its component do.
std::vector<OwnLog> number_own(Transport &transport, const ProcessRecord &record, const DecodedRecord &decoded,
                               const Partners &partners) {
    std::vector<OwnLog> logs;
    const std::vector<LocalField> &fields = decoded.fields;
    const std::uint32_t known = known_exchanges(record, decoded);
    NamedValues<std::uint32_t> own, least; // exchanges by key_of(); least: of the processes of the component
    for (const MessageLog &log : record.messages) {
        if (log.field >= fields.size()) continue;
        const auto gives = [&](std::uint32_t peer) { return partners.gives(log.kind, fields[log.field].name, peer); };
        logs.push_back({&log, places_of(log, gives), {}});
        const PlacesOfPeer &places = logs.back().places;
        const std::uint32_t count = count_exchanges(places, known);
        const std::string what = key_of(log.kind, fields[log.field]);
        if (count > 0) own[what] = count;
        if (places.size() > 1 || (count > 0 && count == known)) least[what] = count;
    }
    Group component(transport, partners.own_component());
    share_named(component, least, keep_lesser);
    for (OwnLog &log : logs) {
        const auto at = own.find(key_of(log.log->kind, fields[log.log->field]));
        if (at == own.end()) continue;
        const auto agreed = least.find(at->first);
        const bool whole = agreed != least.end() && goes_into(agreed->second, at->second);
        log.numbers = numbers_given(std::exchange(log.places, {}), whole ? agreed->second : at->second);
    }
    return logs;
}

// The fields of one name, with several components, have different partners.
void take_numbers(std::vector<OwnLog> &logs, const std::vector<LocalField> &fields, ToldNumbers &told) {
    if (told.empty()) return;
    for (OwnLog &own : logs) {
        const std::string &name = fields[own.log->field].name;
        std::set<std::uint32_t> peers;
        for (const LoggedMessage message : own.log->messages)
            peers.insert(message & logged_peer);
        for (const std::uint32_t peer : peers)
            if (const auto at = told.find({own.log->kind, name, peer}); at != told.end())
                own.numbers[peer] = std::move(at->second);
    }
}

// By component: the name of its communicator; empty if its processes disagree, or it has no name.
using Names = NamedValues<std::string>;

// Keeps only names that no other component has, neither its present name nor its new one.
void keep_unique(Names &names) {
    std::map<std::string, int> times;
    for (const auto &[component, name] : names) {
        ++times[component];
        if (!name.empty() && name != component) ++times[name];
    }
    for (auto &[component, name] : names)
        if (times[name] > 1) name.clear();
}

// The parts of a program get the model's names of their communicators. A component gets the name of
// its communicator if all its processes know the same name, and no other component has it. Returns the names of all
// components.
std::vector<std::string> name_parts(Group &present, const ProcessRecord &record, DecodedRecord &decoded) {
    std::string &own = decoded.component_names.front();
    Names all{{own, record.communicator}};
    const auto agree = [](std::string &mine, const std::string &theirs) {
        if (mine != theirs) mine.clear();
    };
    share_named(present, all, agree);
    keep_unique(all);
    std::vector<std::string> names;
    for (const auto &[component, name] : all)
        names.push_back(name.empty() ? component : name);
    if (const std::string &name = all[own]; !name.empty()) own = name;
    return names;
}

} // namespace

void tie_messages(Group &present, const ProcessRecord &record, DecodedRecord &decoded, ProblemList &problems) {
    if (!any_of_group(present, !record.messages.empty() || !record.roots.empty())) return;
    const std::vector<std::string> names = name_parts(present, record, decoded);
    Partners partners(names);
    partners.agree(present, record, decoded);
    if (const std::int64_t lost = partners.never_received(); lost > 0 && present.leads()) {
        problems.remark(
            {say(Sentence::remark_never_received, {{"messages", counted(lost, "message")}}), lost, 0, record.rank()});
    }
    partners.name_counterparts(record.messages, decoded.fields);
    if (!record.roots.empty()) {
        partners.name_roots(record.roots, decoded.fields);
        unite_alike(decoded.process.components.front(), decoded.fields);
    }
    std::vector<OwnLog> logs = number_own(present.transport(), record, decoded, partners);
    ToldNumbers told;
    exchange_letters(present, record, letters_of(logs, decoded.fields, partners), told);
    take_numbers(logs, decoded.fields, told);
    std::vector<NumberedWhat> numbered;
    numbered.reserve(logs.size());
    for (const OwnLog &own : logs) {
        if (calls_just_count(*own.log, own.numbers)) continue;
        numbered.push_back(
            {make_what(static_cast<unsigned>(own.log->kind), own.log->field), numbered_calls(*own.log, own.numbers)});
    }
    apply_numbers(decoded.process.components.front(), numbered, decoded.fields);
}

} // namespace cpl_lb
