// Decodes the recorder's marks; a process that has no memory for that goes on without events.
#include "run/live/steps/decode_record.hpp"

#include "data/error_codes.hpp"
#include "run/live/memory_bound.hpp"
#include "run/live/steps/local_facts.hpp"
#include "run/live/steps/recording_problems.hpp"

#include <algorithm>
#include <new>

namespace cpl_lb {
namespace {

DecodedRecord without_events(const ProcessRecord &record) {
    DecodedRecord decoded;
    decoded.component_names = {record.component};
    decoded.fields.resize(1);
    decoded.process.components.resize(1);
    return decoded;
}

DecodedRecord decode_recorder(const ProcessRecord &record, ProblemList &problems) {
    const Recorder &recorder = *record.recorder;
    DecodedRecord decoded;
    decoded.component_names = recorder.components();
    decoded.fields = recorder.fields();
    decoded.process = decode(decode_input(record, decoded));
    note_recording_problems(record, decoded.process, problems);
    note_decoding_problems(decoded.process.problems, decoded.fields, problems);
    if (recorder.first_drop_ticks() != 0)
        decoded.process.first_dropped =
            std::min(decoded.process.first_dropped, record.scale.to_ns(recorder.first_drop_ticks()));
    return decoded;
}

DecodedRecord decode_if_possible(const ProcessRecord &record, ProblemList &problems) {
    if (record.recorder == nullptr) return without_events(record);
    try {
        return decode_recorder(record, problems);
    } catch (const std::bad_alloc &) {
        problems.add(error::memory, "no memory to read the events: they are lost");
        return without_events(record);
    }
}

} // namespace

DecodeInput decode_input(const ProcessRecord &record, const DecodedRecord &decoded) {
    Recorder &recorder = *record.recorder;
    DecodeInput input;
    input.chunks = recorder.store().chunk_count();
    input.chunk = [&](std::size_t i) { return recorder.store().chunk(i); };
    input.done_with = [&](std::size_t i) { recorder.store().release(i); };
    input.scale = record.scale;
    input.components = decoded.component_names.size();
    input.fields = static_cast<std::uint32_t>(decoded.fields.size());
    input.close_ticks = record.arrival.ticks;
    input.full = recorder.full();
    input.times_may_stay = true;
    input.list_open_at_end = false;
    input.most_events = most_decoded_events(record.memory_bound_B);
    return input;
}

DecodedRecord decode_record(ProcessRecord &record, ProblemList &problems) {
    if (record.foreign_calls > 0) {
        problems.add(error::thread, "calls from threads other than that of cpl_lb_init, not recorded",
                     record.foreign_calls);
    }
    DecodedRecord decoded = decode_if_possible(record, problems);
    if (record.annotations) record.annotations->finish();
    for (std::size_t c = 0; c < decoded.component_names.size(); ++c)
        decoded.facts.push_back(local_facts(record, decoded, c));
    return decoded;
}

} // namespace cpl_lb
