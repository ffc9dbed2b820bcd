// What the YAC adapter knows of the run: which fields go where, what an exchange at this moment is, and when it is in
// model time. All of it is asked of YAC's public interface. Part of cpl_lb_yac.cpp.
#pragma once

#include "cpl_lb_unrecorded.hpp"
#include "cpl_lb_yac_config.hpp"

#include <cpl_lb/cpl_lb.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Weak: LD_PRELOAD reaches programs that have no YAC, and older versions of it lack some.
extern "C" {
__attribute__((weak)) void yac_cget_action(int field, int *action);
__attribute__((weak)) const char *yac_cget_field_datetime(int field);
__attribute__((weak)) const char *yac_cget_component_name_from_field_id(int field);
__attribute__((weak)) const char *yac_cget_grid_name_from_field_id(int field);
__attribute__((weak)) const char *yac_cget_field_name_from_field_id(int field);
__attribute__((weak)) const char *yac_cget_timestep_from_field_id(int field);
__attribute__((weak)) int yac_cget_role_from_field_id(int field);
__attribute__((weak)) int yac_cget_calendar();
__attribute__((weak)) char *yac_cget_start_datetime();
__attribute__((weak)) char *yac_cget_start_datetime_instance(int instance);
__attribute__((weak)) char *yac_cget_end_datetime();
__attribute__((weak)) char *yac_cget_end_datetime_instance(int instance);
__attribute__((weak)) extern const int YAC_YAML_EMITTER_JSON;
}

namespace cpl_lb::adapter::yac {

// The above, where they are: the loader leaves a weak name empty if the program opens YAC with RTLD_LOCAL later,
// as Python does.
struct Questions {
    const char *lacking = nullptr; // the first name that is nowhere

// NOLINTNEXTLINE(bugprone-macro-parentheses): the name of a member has none
#define CPL_LB_YAC_ASK(NAME) decltype(&::yac_cget_##NAME) NAME = needed(&::yac_cget_##NAME, "yac_cget_" #NAME)
    CPL_LB_YAC_ASK(action);
    CPL_LB_YAC_ASK(field_datetime);
    CPL_LB_YAC_ASK(component_name_from_field_id);
    CPL_LB_YAC_ASK(grid_name_from_field_id);
    CPL_LB_YAC_ASK(field_name_from_field_id);
    CPL_LB_YAC_ASK(timestep_from_field_id);
    CPL_LB_YAC_ASK(role_from_field_id);
    CPL_LB_YAC_ASK(calendar);
    CPL_LB_YAC_ASK(start_datetime);
    CPL_LB_YAC_ASK(start_datetime_instance);
    CPL_LB_YAC_ASK(end_datetime);
    CPL_LB_YAC_ASK(end_datetime_instance);
#undef CPL_LB_YAC_ASK
    // Without it the other ends of fields are not known.
    const int *json = wherever(&::YAC_YAML_EMITTER_JSON, "YAC_YAML_EMITTER_JSON");

private:
    template <class Thing>
    static Thing *wherever(Thing *linked, [[maybe_unused]] const char *name) {
#ifdef CPL_LB_ADAPTER_PRELOAD
        if (linked == nullptr) return reinterpret_cast<Thing *>(shared::behind_us(name));
#endif
        return linked;
    }
    template <class Thing>
    Thing *needed(Thing *linked, const char *name) {
        Thing *const found = wherever(linked, name);
        if (found == nullptr && lacking == nullptr) lacking = name;
        return found;
    }
};

// First asked when YAC has started.
inline const Questions &questions() {
    static const Questions all;
    return all;
}

// Then nothing is recorded. One line, on the first process of a job that was to be recorded.
inline bool lacks_a_question() {
    const char *name = questions().lacking;
    if (name == nullptr) return false;
    static bool told = false;
    if (!unrecorded::asked || std::exchange(told, true)) return true;
    shared::tell("cpl_lb: YAC: nothing is recorded by the adapter: this version of YAC has no ");
    shared::tell(name);
    shared::tell("\n");
    return true;
}

constexpr int role_source = 1; // of yac_cget_role_from_field_id
constexpr int role_target = 2;

// Actions 2 to 7 move data: to couple, and the last put and get of the run, which are for the restart. Below nothing
// is sent (1: the put is only accumulated), above the run is over.
inline bool couples(int field) {
    int action = 0;
    questions().action(field, &action);
    return action >= 2 && action <= 7;
}

struct Target {
    int id = 0; // of cpl_lb_field
    std::optional<long long> period_ms;
    int lag = 0;
};

struct Field {
    std::string component;
    std::vector<Target> targets; // of a source
    int end_of_send = 0;
    int get = 0; // of a target
    std::optional<long long> step_ms;
    int lag = 0;               // time steps that YAC's date of the field is ahead of the model's
    long long calls = 0;       // of put and exchange, until now
    bool receiving = false;    // an asynchronous get is under way
    bool sending = false;      // and a put that nobody has waited for
    std::string last_datetime; // the date that was told last
    double last_date = 0.0;
};

class Run {
public:
    // The end of the definitions of an instance; < 0: the default one.
    void defined(int instance, const char *configuration) {
        instance_ = instance;
        if (configuration != nullptr) read_couples(configuration, couples_);
    }
    void clear() {
        couples_.clear();
        fields_.clear();
        dates_known_ = false;
    }
    Field &field(int id) {
        const auto found = fields_.find(id);
        return found != fields_.end() ? found->second : fields_.emplace(id, described(id)).first->second;
    }
    // The model's date, where a field couples.
    void tell_date(int id, Field &field) {
        if (!dates_known_) learn_dates();
        const char *text = questions().field_datetime(id);
        if (field.last_datetime != text) {
            field.last_datetime = text;
            const double lag_s = static_cast<double>(field.lag * field.step_ms.value_or(0)) / 1000.0;
            field.last_date = seconds_of(text, calendar_).value_or(*start_) - *start_ - lag_s;
        }
        cpl_lb_date(static_cast<long long>(field.last_date));
    }
    [[nodiscard]] double simulated_s() const { return simulated_s_; }

private:
    [[nodiscard]] Field described(int id) const {
        Field field;
        field.component = questions().component_name_from_field_id(id);
        field.step_ms = milliseconds_of(questions().timestep_from_field_id(id));
        const Couple::End end{field.component, questions().grid_name_from_field_id(id),
                              questions().field_name_from_field_id(id)};
        bool first = true;
        for (const Couple &couple : couples_) {
            if (couple.source != end && couple.target != end) continue;
            const std::string name = exchange_name(couple, couples_);
            const bool puts = couple.source == end;
            const int lag = puts ? couple.source_lag : couple.target_lag;
            const std::string &counterpart = puts ? couple.target.component : couple.source.component;
            const int known = cpl_lb_field(name.c_str(), counterpart.c_str());
            if (puts) {
                field.targets.push_back({known, couple.period_ms, lag});
            } else {
                field.get = known;
            }
            // With several lags YAC does not say whose date it gives.
            field.lag = first || field.lag == lag ? lag : 0;
            first = false;
        }
        name_what_is_left(field, end.field, questions().role_from_field_id(id));
        return field;
    }
    // Without a configuration the other end is not known.
    void name_what_is_left(Field &field, const std::string &name, int role) const {
        if (role == role_target && field.get == 0) field.get = cpl_lb_field(name.c_str(), "");
        if (role != role_source) return;
        if (field.targets.empty()) field.targets.push_back({cpl_lb_field(name.c_str(), ""), std::nullopt, 0});
        std::string counterpart;
        for (const Couple &couple : couples_)
            if (couple.source.component == field.component && couple.source.field == name && counterpart.empty())
                counterpart = couple.target.component;
        field.end_of_send = cpl_lb_field("end of send", counterpart.c_str());
    }
    void learn_dates() {
        dates_known_ = true;
        calendar_ = questions().calendar();
        char *start = instance_ < 0 ? questions().start_datetime() : questions().start_datetime_instance(instance_);
        char *end = instance_ < 0 ? questions().end_datetime() : questions().end_datetime_instance(instance_);
        const double begin = seconds_of(start, calendar_).value_or(0.0);
        const double length = seconds_of(end, calendar_).value_or(begin) - begin;
        if (!start_) start_ = begin;
        std::free(start); // ours, since YAC made them for us
        std::free(end);
        if (length <= 0.0) return;
        simulated_s_ += length;
        cpl_lb_set_length(simulated_s_);
    }

    int instance_ = -1;
    int calendar_ = 0;
    bool dates_known_ = false;
    std::optional<double> start_; // a run that cleans up and starts again goes on
    double simulated_s_ = 0.0;
    std::vector<Couple> couples_;
    std::map<int, Field> fields_;
};

// Which of its targets a put that couples goes to. YAC says only that there is one: the others follow from their
// periods, as YAC counts them, or are all of them where that depends on the calendar.
inline std::vector<int> receivers(const Field &field) {
    std::vector<int> ids;
    for (const Target &target : field.targets) {
        if (target.period_ms && *target.period_ms > 0 && field.step_ms &&
            (field.calls + target.lag) * *field.step_ms % *target.period_ms != 0)
            continue;
        ids.push_back(target.id);
    }
    if (ids.empty())
        for (const Target &target : field.targets)
            ids.push_back(target.id);
    return ids;
}

} // namespace cpl_lb::adapter::yac
