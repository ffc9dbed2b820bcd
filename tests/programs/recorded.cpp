// Marks and lists of messages by hand.
#include "tests/programs/recorded.hpp"

#include "data/field_parts.hpp"
#include "io/json/info_json.hpp"
#include "run/live/process_record.hpp"
#include "run/live/steps/decode_record.hpp"
#include "run/live/steps/tie_messages.hpp"
#include "tests/run/record_by_hand.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace cpl_lb::programs {
namespace {

using What = Action::What;

// What one process records: its fields in the order of their first event, its marks, and the event of each call.
class Recorded {
public:
    Recorded(const Program &program, int process) : program_(program), process_(process) {}

    static Kind kind_of(const Call &call) {
        return call.what == What::send ? Kind::put : call.what == What::meet ? Kind::sync : Kind::get;
    }
    // In the order of the call's messages.
    std::vector<std::uint32_t> fields_of(const Call &call) {
        std::vector<std::uint32_t> fields;
        for (const Action::Message &m : call.messages) {
            const int other = program_.component_of[static_cast<std::size_t>(m.peer)];
            fields.push_back(
                field_of("tag " + std::to_string(m.tag), program_.components[static_cast<std::size_t>(other)]));
        }
        return fields;
    }

    void add(const Call &call) {
        const Kind kind = kind_of(call);
        std::vector<std::uint32_t> fields;
        const std::vector<std::uint32_t> of_messages = fields_of(call);
        for (std::size_t i = 0; i < call.messages.size(); ++i) {
            const Action::Message &m = call.messages[i];
            const std::uint32_t field = of_messages[i];
            const LoggedMessage how = call.what == What::probe ? logged_next : 0;
            log_of(kind, field).push_back(static_cast<LoggedMessage>(m.peer) | how);
            if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
        }
        for (const std::uint32_t field : fields)
            log_of(kind, field).back() |= logged_last;
        if (call.what == What::meet) fields.push_back(field_of_meeting(call));
        for (const std::uint32_t field : fields)
            mark(call.begin, field, begin_code(static_cast<int>(kind)));
        std::reverse(fields.begin(), fields.end());
        for (const std::uint32_t field : fields)
            mark(call.end, field, end_code(static_cast<int>(kind)));
    }

    ProcessRecord record(Transport &t, const Settings &settings, std::int64_t end) {
        ProcessRecord record = testing::record_of(t, settings);
        const auto component = static_cast<std::size_t>(program_.component_of[static_cast<std::size_t>(process_)]);
        record.process_map.component_names = program_.components;
        record.process_map.component_of_rank = {};
        for (const int c : program_.component_of)
            record.process_map.component_of_rank.push_back(c);
        record.component = program_.components[component];
        record.first_point = {0, 0, 0};
        record.arrival = {static_cast<std::uint64_t>(end), end, 0};
        record.recorder = testing::recorder_of(std::move(marks_), record.component, "");
        for (const auto &[what, id] : fields_)
            if (record.recorder->field(what.first, what.second) < 0) throw std::runtime_error("no such field");
        for (auto &[what, messages] : logs_)
            record.messages.push_back({what.first, what.second, std::move(messages)});
        return record;
    }

private:
    // 1 is the field of recorder_of().
    std::uint32_t field_of(const std::string &name, const std::string &counterpart) {
        const auto at = std::find_if(fields_.begin(), fields_.end(),
                                     [&](const auto &f) { return f.first == std::pair(name, counterpart); });
        if (at != fields_.end()) return at->second;
        fields_.emplace_back(std::pair(name, counterpart), static_cast<std::uint32_t>(fields_.size()) + 2);
        return fields_.back().second;
    }
    // Named as the recorder names them.
    std::uint32_t field_of_meeting(const Call &call) {
        if (call.other < 0) return field_of("MPI_COMM_WORLD", "");
        const std::string &a = program_.components[static_cast<std::size_t>(call.component)];
        const std::string &b = program_.components[static_cast<std::size_t>(call.other)];
        const bool mine_is_a = program_.component_of[static_cast<std::size_t>(process_)] == call.component;
        return field_of("collective of " + a + ", " + b, mine_is_a ? b : a);
    }
    std::vector<LoggedMessage> &log_of(Kind kind, std::uint32_t field) { return logs_[{kind, field}]; }
    void mark(std::int64_t at, std::uint32_t field, unsigned code) {
        marks_.push_back(make_mark(static_cast<std::uint64_t>(at - last_), field, code));
        last_ = at;
    }

    const Program &program_;
    int process_;
    std::vector<Mark> marks_;
    std::int64_t last_ = 0;
    std::vector<std::pair<std::pair<std::string, std::string>, std::uint32_t>> fields_;
    std::map<std::pair<Kind, std::uint32_t>, std::vector<LoggedMessage>> logs_;
};

testing::WorldSetup world_for(const Truth &replay) {
    const int ranks = static_cast<int>(replay.ends.size());
    testing::WorldSetup setup = testing::world_of(ranks, 1);
    for (int r = 0; r < ranks; ++r)
        setup.starts_at_ns[r] = replay.ends[static_cast<std::size_t>(r)];
    return setup;
}

Settings patient_settings(const std::string &folder) {
    Settings settings = testing::settings_in(folder);
    settings.timeout_s = 1000; // the last to end may come late
    return settings;
}

// The numbers of the events of each kind and field, parts among them, in the order of the events.
std::map<std::pair<Kind, std::string>, std::vector<std::uint32_t>> numbers_in(const DecodedRecord &decoded) {
    const LocalTimeline &t = decoded.process.components.front();
    std::map<std::pair<Kind, std::string>, std::vector<std::uint32_t>> numbers;
    std::map<LocalWhat, std::uint32_t> seen;
    for (std::size_t event = 0; event < t.size(); ++event) {
        const LocalWhat what = t.what(event);
        const LocalField &field = decoded.fields[field_of(what)];
        const std::uint32_t n = seen[what]++;
        const auto known = t.numbers.find(what);
        const std::string name(whole_of_part(field.name).value_or(field.name));
        numbers[{kind_of(what), name + ' ' + field.counterpart}].push_back(
            known == t.numbers.end() ? n : known->second[n]);
    }
    return numbers;
}

} // namespace

NumbersOfCalls numbers_of_calls(const Program &program, const Truth &replay) {
    NumbersOfCalls result(program.processes.size());
    testing::MemoryWorld world(world_for(replay));
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        const auto at = static_cast<std::size_t>(rank);
        Transport t(std::move(carrier), 1000);
        Recorded recorded(program, rank);
        for (const Call &call : replay.calls[at])
            recorded.add(call);
        std::vector<std::vector<std::uint32_t>> fields;
        for (const Call &call : replay.calls[at])
            fields.push_back(recorded.fields_of(call));
        ProcessRecord record = recorded.record(t, patient_settings(""), replay.ends[at]);
        ProblemList problems(rank, {});
        DecodedRecord decoded = decode_record(record, problems);
        const std::vector<LocalField> names = decoded.fields;
        Group present(t, NumberList::counting_from(0, program.processes.size()));
        tie_messages(present, record, decoded, problems);
        auto numbers = numbers_in(decoded);
        std::map<std::pair<Kind, std::uint32_t>, std::size_t> next;
        for (std::size_t c = 0; c < fields.size(); ++c) {
            const Kind kind = Recorded::kind_of(replay.calls[at][c]);
            std::map<std::uint32_t, std::uint32_t> of_call;
            result[at].emplace_back();
            for (const std::uint32_t field : fields[c]) {
                const LocalField &f = names[field];
                if (of_call.count(field) == 0)
                    of_call[field] = numbers[{kind, f.name + ' ' + f.counterpart}].at(next[{kind, field}]++);
                result[at].back().push_back(of_call[field]);
            }
        }
    });
    return result;
}

CoupledRun recorded_run(const Program &program, const Truth &replay, const std::string &folder) {
    std::vector<int> codes(program.processes.size(), 1);
    testing::MemoryWorld world(world_for(replay));
    const Settings settings = patient_settings(folder);
    world.run([&](int rank, std::unique_ptr<Carrier> carrier) {
        Transport t(std::move(carrier), settings.timeout_s);
        Recorded recorded(program, rank);
        for (const Call &call : replay.calls[static_cast<std::size_t>(rank)])
            recorded.add(call);
        codes[static_cast<std::size_t>(rank)] =
            terminate(recorded.record(t, settings, replay.ends[static_cast<std::size_t>(rank)]));
    });
    if (std::any_of(codes.begin(), codes.end(), [](int code) { return code != 0; }))
        throw std::runtime_error("terminate failed: " + program.words);
    const std::string path = folder + "/load_balancing_info.json";
    return run_from_json(path, test::contents(path));
}

} // namespace cpl_lb::programs
