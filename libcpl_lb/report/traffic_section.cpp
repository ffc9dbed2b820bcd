// Who talks to whom inside a component by MPI's messages, who is waited for, and the messages of fields.

#include "analysis/late_sender.hpp"
#include "report/format.hpp"
#include "report/slow_side_words.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double waited_line_from = 0.01; // of the core time: less gets no line below the table
constexpr std::size_t most_fields = 10;

std::string MiB_text(std::int64_t bytes) {
    return fmt::format("{:.3f}", static_cast<double>(bytes) / mebibyte);
}

// "3", or "12-15" for several processes.
std::string group_text(std::int64_t group, std::int64_t processes) {
    const std::int64_t first = first_of_traffic_group(group, processes);
    const std::int64_t last = first_of_traffic_group(group + 1, processes) - 1;
    return first == last ? count_text(first) : fmt::format("{}-{}", first, last);
}

// Its messages came in calls that waited for no other process.
bool is_alone(const WaitedFor &w) {
    return w.waited_s >= 0.99 * w.with_others_s;
}

std::string waited_for_lines(const Component &c) {
    std::string text;
    for (const WaitedFor &w : c.inside.traffic.waited_for) {
        const double share = share_of_core_time(c, w.in_loop_s);
        if (!(share >= waited_line_from)) continue;
        const std::string together =
            is_alone(w) ? "" : fmt::format(", and {} s together with others", number_text(w.with_others_s));
        text +=
            wrapped(fmt::format("{}: process {} is waited for by {} of the others, {} times: {} s{}; at least {} of "
                                "the core time of {}",
                                table_name(c), w.process, w.by, w.waits, number_text(w.waited_s), together,
                                share_in_words(share), c.inside.of_whole_run ? "its run" : "its coupling loop"),
                    80);
    }
    return text;
}

} // namespace

std::string traffic_table(const CoupledRun &run) {
    TextTable table;
    table.row({"Component", "messages", "MiB", "most from", "to process", "MiB", "waited for {s}"});
    std::string lines;
    bool any = false;
    for (const Component &c : run.components) {
        const InsideTraffic &traffic = c.inside.traffic;
        if (!traffic.known() || c.ranks.size() < 2) continue;
        any = true;
        const GroupPair sum = traffic.sum();
        const auto most = std::max_element(traffic.pairs.begin(), traffic.pairs.end(),
                                           [](const GroupPair &a, const GroupPair &b) { return a.bytes < b.bytes; });
        const auto processes = static_cast<std::int64_t>(c.ranks.size());
        const bool named = most != traffic.pairs.end() && most->bytes > 0;
        table.row({table_name(c), count_text(sum.messages), MiB_text(sum.bytes),
                   named ? group_text(most->from, processes) : "", named ? group_text(most->to, processes) : "",
                   named ? MiB_text(most->bytes) : "", InSeconds{sum.waited_s}});
        lines += waited_for_lines(c);
        if (traffic.messages_to_others > 0) {
            lines += wrapped(fmt::format("{}: without {} messages to partners for whom there was no room",
                                         table_name(c), traffic.messages_to_others),
                             80);
        }
    }
    return any ? table.text(text_columns) + lines : "";
}

std::string field_traffic_table(const CoupledRun &run) {
    TextTable table({1, 2});
    table.row({"Component", "field", "to", "messages", "MiB"});
    std::string lines;
    bool any = false;
    for (const Component &c : run.components) {
        std::vector<const FieldTraffic *> fields;
        for (const FieldTraffic &field : c.fields)
            fields.push_back(&field);
        std::stable_sort(fields.begin(), fields.end(),
                         [](const FieldTraffic *a, const FieldTraffic *b) { return a->bytes > b->bytes; });
        for (std::size_t i = 0; i < std::min(fields.size(), most_fields); ++i) {
            const FieldTraffic &field = *fields[i];
            any = true;
            table.row({table_name(c), short_name(field.name, table_name_columns),
                       field.counterpart.empty() ? "(not known)" : short_name(field.counterpart, table_name_columns),
                       count_text(field.messages), MiB_text(field.bytes)});
        }
        if (fields.size() > most_fields)
            lines +=
                fmt::format("{}: the {} fields with most bytes of {}\n", table_name(c), most_fields, fields.size());
    }
    return any ? table.text(text_columns) + lines : "";
}

std::vector<std::string> late_sender_sentences(const CoupledRun &run) {
    std::vector<std::string> words;
    for (const Component &c : run.components) {
        const WaitedFor *late = late_sender(c);
        if (late == nullptr) continue;
        words.push_back(say(Sentence::late_sender, {{"name", name_in_words(run, c.id)},
                                                    {"share", share_in_words(share_of_core_time(c, late->in_loop_s))},
                                                    {"time", c.inside.of_whole_run ? "run" : "coupling loop"},
                                                    {"process", count_text(late->process)},
                                                    {"others", say(is_alone(*late) ? Sentence::part_it_alone
                                                                                   : Sentence::part_and_others)}}));
    }
    return words;
}

} // namespace cpl_lb
