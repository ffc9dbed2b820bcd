// cpl_lb_terminate, step by step: decode, meet, one clock, one catalogue of names, each component, the root's report.
#pragma once

#include "gather/catalogue.hpp"
#include "gather/component_facts.hpp"
#include "gather/component_gather.hpp"
#include "gather/meeting.hpp"
#include "gather/meters_gather.hpp"
#include "io/folder_probe.hpp"
#include "io/timeline.hpp"
#include "metering/resample.hpp"
#include "record/decode.hpp"
#include "recording.hpp"

#include <optional>

namespace cpl_lb {

// Of a component, when its master has written it or could not.
enum class TimelineIs : std::int32_t { missing, in_the_folder, on_another_node };
struct TimelinePlace {
    std::string path;
    TimelineIs is = TimelineIs::missing;
};

class Termination {
public:
    Termination(Recording &recording, double simulated_s, std::int64_t calls_from_other_threads);
    int run();

private:
    bool work();
    [[nodiscard]] std::string failure_in_words() const;
    void decode_marks();
    void decode_recorder(Recorder &recorder);
    [[nodiscard]] DecodeInput decode_input(Recorder &recorder) const;
    void note_recording_problems(const RecordingProblems &problems);
    void note_decoding_problems(const DecodeProblems &problems);
    [[nodiscard]] std::string describe(LocalWhat what) const;
    [[nodiscard]] std::string slice_in_words() const;
    [[nodiscard]] std::string dropped_in_words() const;
    [[nodiscard]] bool take_part();
    // The clock (termination_clock.cpp).
    bool agree_on_clock(Group &present);
    void note_stepped_clock(const ClockOffset &last);
    [[nodiscard]] bool leads_node(const Group &present) const;
    [[nodiscard]] std::int64_t own_clock_bound_ns() const;
    bool gather_clock_bounds(Group &group, std::vector<double> &bounds_s) const;
    bool agree_on_names(Group &present);
    [[nodiscard]] std::vector<CatalogueEntry> local_entries() const;
    [[nodiscard]] CatalogueEntry entry_of(std::size_t component, LocalWhat what) const;
    [[nodiscard]] LocalEvents local_events(std::size_t component);
    void times_from_marks(const TakeTimes &take) const;
    [[nodiscard]] ComponentFacts local_facts(std::size_t component) const;
    void enter_control_flow(ComponentFacts &facts) const;
    bool gather_components();
    bool gather_component(std::int32_t id, std::size_t local_index);
    [[nodiscard]] bool writes_timelines() const { return r_.settings_.timeline && !no_directory_; }
    bool gather_and_write(ComponentGather &gather, const Group &group, const Component &component);
    [[nodiscard]] TimelineHeader timeline_header(const Component &component) const;
    bool report(Group &present);
    bool collect_components(Group &present, std::vector<Component> &all);
    // Meters (termination_meters.cpp).
    bool gather_all_meters(Group &present, const std::vector<Component> &components);
    [[nodiscard]] GatheredMeters local_meters(const std::vector<Interval> &loops) const;
    void enter_disturbance(GatheredMeters &mine) const;
    void enter_node(GatheredMeters &mine, const Bins &bins) const;
    [[nodiscard]] std::vector<TimedValue> metered(std::string_view quantity) const;
    [[nodiscard]] std::vector<TimedValue> held(std::string_view quantity) const;
    [[nodiscard]] std::vector<NamedSpread> counters_in(const Interval &loop) const;
    void enter_all_meters(CoupledRun &run) const;
    [[nodiscard]] RegionMeters region_meters(const RegionTimer &timer) const;
    [[nodiscard]] CoupledRun assemble(std::vector<Component> components) const;
    // Folders and files (termination_files.cpp).
    void prepare_folder();
    [[nodiscard]] TimelinePlace place_of_timeline(const std::string &stem);
    void note_timeline(TimelinePlace place, const std::string &error);
    bool bring_timelines();
    bool hand_over_timeline(const TimelinePlace &place);
    void list_timelines();
    void write_results(CoupledRun run);
    void write_report(const CoupledRun &run);
    void end_spool(Group &present);
    void problem(int code, std::string cause, std::int64_t count = 1);
    [[nodiscard]] Nanoseconds to_run_time(Nanoseconds local) const { return clock_.to_common(local) - zero_; }

    Recording &r_;
    double simulated_s_;
    std::int64_t foreign_calls_;
    ClockPoint arrival_;
    TickScale scale_;
    DecodedProcess decoded_;
    std::vector<std::string> component_names_; // of this process, by local index
    std::vector<LocalField> fields_;
    std::vector<ComponentFacts> facts_; // by local index: regions and properties
    Meeting meeting_;
    std::vector<int> present_;
    CommonClock clock_;
    Nanoseconds zero_ = 0; // earliest cpl_lb_init on the common clock
    Nanoseconds latest_arrival_ = 0;
    std::int64_t clock_bound_ns_ = 0;
    Catalogue catalogue_;
    std::string run_id_;
    GatheredMeters meters_;
    std::vector<Component> mine_;             // the components that this process leads
    std::vector<TimelinePlace> my_timelines_; // of those
    std::vector<TimelineIs> timelines_;       // of all components, on the root
    std::string probe_token_;                 // of the output folder
    std::optional<FolderProbe> probe_;        // on the root
    std::optional<bool> sees_folder_;         // the root's, from here
    std::string folder_remark_;               // why the results are not where they were asked for
    std::vector<std::string> files_;
    std::vector<Problem> problems_;
    int code_ = 0;
    bool results_lost_ = false; // on this process: a file could not be written
    bool no_directory_ = false; // on all: nobody tries to write
};

} // namespace cpl_lb
