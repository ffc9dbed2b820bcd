// How busy the GPUs of each component were, in sentences.
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <string>

namespace cpl_lb {
namespace {

// Variables of the environment say which GPUs a process may use, not which ones it uses.
bool only_may_use(const ComponentGpus &gpus) {
    return gpus.from != "the driver" && gpus.from != "nn_gpus" && gpus.from != "nn_gpus, the driver";
}

// "its 4 GPUs (NVIDIA H100)"
std::string which(const ComponentGpus &gpus) {
    std::string text = only_may_use(gpus) ? "the " : "its ";
    text += gpus.count == 1 ? "GPU" : fmt::format("{} GPUs", gpus.count);
    if (!gpus.kind.empty()) text += " (" + safe_name(gpus.kind) + ")";
    if (only_may_use(gpus)) text += " that it may use by " + safe_name(gpus.from);
    return text;
}

std::string others_of(const CoupledRun &run, const ComponentGpus &gpus) {
    if (gpus.shared_with.empty()) return "";
    std::string names;
    for (const std::int32_t id : gpus.shared_with)
        names += (names.empty() ? "" : ", ") + safe_name(run.component_name(id));
    return say(Sentence::part_gpus_shared, {{"others", names}});
}

std::string sentence_of(const CoupledRun &run, const Component &c) {
    const ComponentGpus &gpus = c.gpus;
    if (gpus.count < 0) return say(Sentence::gpus_not_known, {{"name", table_name(c)}, {"why", gpus.why_missing}});
    if (!is_known(gpus.busy_share)) {
        return say(Sentence::gpus_not_busy,
                   {{"gpus", which(gpus)}, {"name", table_name(c)}, {"why", gpus.why_missing}});
    }
    const std::string clock = is_known(gpus.clock_share)
                                  ? say(Sentence::part_gpu_clock, {{"share", share_in_words(gpus.clock_share)}})
                                  : "";
    return say(Sentence::gpus_busy, {{"name", table_name(c)},
                                     {"computing", share_in_words(c.balance.computing_s / c.balance.loop_s)},
                                     {"gpus", which(gpus) + (gpus.count == 1 ? " is" : " are")},
                                     {"busy", share_in_words(gpus.busy_share)},
                                     {"clock", clock},
                                     {"others", others_of(run, gpus)}});
}

// A run without meters, and a component without GPUs, have no sentence here.
bool is_told(const CoupledRun &run, const ComponentGpus &gpus) {
    return gpus.count > 0 || (gpus.count < 0 && !gpus.why_missing.empty() && run.meters.energy_wanted);
}

} // namespace

std::string gpu_sentences(const CoupledRun &run) {
    std::string text;
    for (const Component &c : run.components)
        if (is_told(run, c.gpus)) text += wrapped(sentence_of(run, c) + ".", text_columns);
    return text;
}

} // namespace cpl_lb
