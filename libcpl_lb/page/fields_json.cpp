// The coupling fields of a run on the page: the time of each on its way, and its messages and bytes where they were
// recorded.
#include "page/page_json.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t most_fields_told = 300; // some 45 kB

using Way = std::tuple<std::string, std::string, std::string>; // field, source, target

struct FieldOnWay {
    std::int64_t puts = 0, gets = 0;
    Nanoseconds put = 0, get = 0;
    std::int64_t messages = -1, bytes = -1; // negative: not known

    [[nodiscard]] Nanoseconds time() const { return put + get; }
};

using Fields = std::map<Way, FieldOnWay>;

std::string field_name(const CoupledRun &run, std::int32_t id) {
    return id >= 1 && static_cast<std::size_t>(id) <= run.field_names.size()
               ? run.field_names[static_cast<std::size_t>(id) - 1]
               : "(without a name)";
}

void add_times(Fields &fields, const CoupledRun &run, const Component &c) {
    // Looks up names once for each class: a component has few classes and may have millions of events.
    const EventKeys &keys = c.table.keys;
    std::vector<FieldOnWay> of_class(keys.classes().size());
    for (std::size_t k = 0; k < c.table.spans.size(); ++k) {
        const EventSpan span = c.table.spans[k];
        const Kind kind = keys.what(k).kind;
        if (span.empty() || (kind != Kind::put && kind != Kind::get)) continue;
        FieldOnWay &sum = of_class[keys.class_of(k)];
        const Nanoseconds waiting = std::max<Nanoseconds>(span.waiting(), 0);
        (kind == Kind::put ? sum.put : sum.get) += waiting;
        ++(kind == Kind::put ? sum.puts : sum.gets);
    }
    for (std::size_t i = 0; i < of_class.size(); ++i) {
        const EventClass &what = keys.classes()[i];
        const FieldOnWay &sum = of_class[i];
        if (sum.puts + sum.gets == 0) continue;
        const std::string &other = run.component_name(what.counterpart);
        const bool sends = what.kind == Kind::put;
        FieldOnWay &way = fields[{field_name(run, what.field), sends ? c.name : other, sends ? other : c.name}];
        way.puts += sum.puts;
        way.gets += sum.gets;
        way.put += sum.put;
        way.get += sum.get;
    }
}

// The target of a field whose sender names none: the one component to which it goes from there, or not known.
std::string target_of(const Fields &fields, const CoupledRun &run, const FieldTraffic &sent,
                      const std::string &source) {
    if (!sent.counterpart.empty()) return sent.counterpart;
    std::string target;
    for (auto way = fields.lower_bound({sent.name, source, ""});
         way != fields.end() && std::get<0>(way->first) == sent.name && std::get<1>(way->first) == source; ++way) {
        if (!target.empty()) return run.component_name(0);
        target = std::get<2>(way->first);
    }
    return target.empty() ? run.component_name(0) : target;
}

void add_bytes(Fields &fields, const CoupledRun &run, const Component &c) {
    for (const FieldTraffic &sent : c.fields) {
        if (is_of_windows(sent)) continue;
        FieldOnWay &way = fields[{sent.name, c.name, target_of(fields, run, sent, c.name)}];
        way.messages = std::max<std::int64_t>(way.messages, 0) + sent.messages;
        way.bytes = std::max<std::int64_t>(way.bytes, 0) + sent.bytes;
    }
}

JsonTree known_or_null(std::int64_t value) {
    return value < 0 ? JsonTree() : JsonTree(value);
}

JsonTree json_of(const Way &way, const FieldOnWay &field) {
    const auto &[name, source, target] = way;
    const std::int64_t count = field.puts > 0 ? field.puts : field.gets;
    return {{"field", name},
            {"source", source},
            {"target", target},
            {"exchanges", count > 0 ? JsonTree(count) : JsonTree()},
            {"put_s", JsonTree::number(field.puts > 0 ? to_seconds(field.put) : unknown)},
            {"get_s", JsonTree::number(field.gets > 0 ? to_seconds(field.get) : unknown)},
            {"messages", known_or_null(field.messages)},
            {"bytes", known_or_null(field.bytes)}};
}

} // namespace

JsonTree fields_json(const CoupledRun &run) {
    Fields fields;
    for (const Component &c : run.components) {
        if (!c.table_left_out) add_times(fields, run, c);
        add_bytes(fields, run, c);
    }
    std::vector<const Fields::value_type *> rows;
    rows.reserve(fields.size());
    for (const auto &one : fields)
        rows.push_back(&one);
    std::stable_sort(rows.begin(), rows.end(), [](const auto *a, const auto *b) {
        return std::pair(a->second.time(), a->second.bytes) > std::pair(b->second.time(), b->second.bytes);
    });
    JsonTree json = {{"rows", JsonTree::array()},
                     {"left_out", rows.size() - std::min(rows.size(), most_fields_told)},
                     {"why_no_bytes", "bytes of fields are counted where MPI is recorded, with cpl-lb-record"}};
    rows.resize(std::min(rows.size(), most_fields_told));
    for (const auto *row : rows)
        json["rows"].push_back(json_of(row->first, row->second));
    return json;
}

} // namespace cpl_lb
