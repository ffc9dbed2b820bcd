// The events of cn_counters through PAPI, on the thread that opens the reader (not on its OpenMP threads).
// An event works when it could be opened, started and read: PAPI calls some "active" that the kernel then forbids.
#include "meters/event_names.hpp"
#include "meters/papi_api.hpp"
#include "meters/reader.hpp"
#include "meters/table.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <utility>

namespace cpl_lb {
namespace {

// PAPI puts only events of one PAPI component (cpu, network, ...) into a set.
struct EventSet {
    int id = papi_null;
    int papi_component = 0;
    std::vector<std::size_t> quantities; // in the order of the set's counts
    std::vector<int> codes;
    std::vector<long long> counts;
    int error = papi_ok; // sticks: from then on NaN
};

class PapiReader final : public Reader {
public:
    explicit PapiReader(ReaderOptions options) : options_(std::move(options)) {}
    ~PapiReader() override {
        for (EventSet &set : sets_)
            papi_.discard(&set.id);
    }
    PapiReader(const PapiReader &) = delete;
    PapiReader &operator=(const PapiReader &) = delete;
    PapiReader(PapiReader &&) = delete;
    PapiReader &operator=(PapiReader &&) = delete;

    [[nodiscard]] std::string_view name() const noexcept override { return "papi"; }
    [[nodiscard]] Availability open() override;
    void read_known(std::span<double> values) noexcept override;
    [[nodiscard]] std::vector<std::string> remarks() const override;

private:
    [[nodiscard]] bool probe(std::size_t quantity, int *code);
    [[nodiscard]] bool probe_in(int event_set, int code, std::size_t quantity);
    void add(std::size_t quantity, int code);
    void start(EventSet &set);
    [[nodiscard]] bool rebuild(EventSet &set);
    void miss(std::size_t quantity, const char *call, int error);

    ReaderOptions options_;
    PapiApi papi_;
    std::vector<EventSet> sets_;
    std::string remedy_;
};

Availability PapiReader::open() {
    const std::vector<std::string> names = split_event_names(options_.counters);
    if (names.empty()) return Availability::missing("no events asked for", "name some in cn_counters");
    if (Availability answer = papi_.open(options_.papi_library); !answer.works) return answer;
    for (const std::string &name : names) {
        quantities_.push_back({.name = name, .unit = "1", .measure = Measure::counter});
        int code = 0;
        if (probe(quantities_.size() - 1, &code)) add(quantities_.size() - 1, code);
    }
    for (EventSet &set : sets_)
        start(set);
    return availability_of(quantities_, remedy_);
}

void PapiReader::miss(std::size_t quantity, const char *call, int error) {
    std::string &why = quantities_[quantity].why_missing;
    why = papi_.failure(call, error);
    // If PAPI has switched its processor part off, it knows none of the names either.
    if (static_cast<PapiError>(error) == PapiError::no_event && papi_.processor_disabled()) {
        why += " (PAPI has switched itself off for this processor)";
        error = static_cast<int>(PapiError::component_disabled);
    }
    const bool weak = remedy_.empty() || remedy_ == papi_remedy(static_cast<int>(PapiError::no_event), {});
    if (weak) remedy_ = papi_remedy(error, options_.procfs_root);
}

// The event alone, once through its whole life.
bool PapiReader::probe(std::size_t quantity, int *code) {
    if (const int error = papi_.event_name_to_code(quantities_[quantity].name.c_str(), code); error != papi_ok) {
        miss(quantity, "PAPI_event_name_to_code", error);
        return false;
    }
    int event_set = papi_null;
    if (const int error = papi_.create_eventset(&event_set); error != papi_ok) {
        miss(quantity, "PAPI_create_eventset", error);
        return false;
    }
    const bool good = probe_in(event_set, *code, quantity);
    papi_.discard(&event_set);
    return good;
}

bool PapiReader::probe_in(int event_set, int code, std::size_t quantity) {
    long long count = 0;
    const char *call = "PAPI_add_event";
    int error = papi_.add_event(event_set, code);
    if (error == papi_ok) {
        call = "PAPI_start";
        error = papi_.start(event_set);
    }
    if (error == papi_ok) {
        call = "PAPI_read";
        error = papi_.read(event_set, &count);
    }
    if (error != papi_ok) miss(quantity, call, error);
    return error == papi_ok;
}

void PapiReader::add(std::size_t quantity, int code) {
    const int papi_component = papi_.get_event_component(code);
    EventSet *set = nullptr;
    for (EventSet &known : sets_) {
        if (known.papi_component == papi_component) set = &known;
    }
    if (set == nullptr) {
        set = &sets_.emplace_back();
        set->papi_component = papi_component;
    }
    set->quantities.push_back(quantity);
    set->codes.push_back(code);
}

// All together; what does not fit is left out from the end, so that the user's first events are counted.
void PapiReader::start(EventSet &set) {
    while (!set.codes.empty() && !rebuild(set)) {
        papi_.discard(&set.id);
        set.codes.pop_back();
        set.quantities.pop_back();
    }
    set.counts.assign(set.codes.size(), 0);
}

bool PapiReader::rebuild(EventSet &set) {
    const std::size_t last = set.quantities.back();
    if (const int error = papi_.create_eventset(&set.id); error != papi_ok) {
        miss(last, "PAPI_create_eventset", error);
        return false;
    }
    for (const int code : set.codes) {
        if (const int error = papi_.add_event(set.id, code); error != papi_ok) {
            miss(last, "with the events before it, PAPI_add_event", error);
            return false;
        }
    }
    if (const int error = papi_.start(set.id); error != papi_ok) {
        miss(last, "with the events before it, PAPI_start", error);
        return false;
    }
    return true;
}

void PapiReader::read_known(std::span<double> values) noexcept {
    for (EventSet &set : sets_) {
        if (set.codes.empty() || set.error != papi_ok) continue;
        set.error = papi_.read(set.id, set.counts.data());
        if (set.error != papi_ok) continue;
        for (std::size_t i = 0; i < set.quantities.size(); ++i)
            values[set.quantities[i]] = static_cast<double>(set.counts[i]);
    }
}

std::vector<std::string> PapiReader::remarks() const {
    std::vector<std::string> all;
    for (const EventSet &set : sets_) {
        if (set.error == papi_ok || set.quantities.empty()) continue;
        all.push_back(say(Sentence::remark_counters_stopped, {{"name", quantities_[set.quantities.front()].name},
                                                              {"why", papi_.failure("PAPI_read", set.error)}}));
    }
    return all;
}

} // namespace

std::unique_ptr<Reader> make_papi_reader(const ReaderOptions &options) {
    return std::make_unique<PapiReader>(options);
}

} // namespace cpl_lb
