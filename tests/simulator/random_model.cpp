// Random models: who exchanges with whom, in which order, and how each scales.
#include "tests/simulator/simulator.hpp"

#include <algorithm>
#include <cstdio>

namespace cpl_lb::simulator {
namespace {

// Makes a model along one order of all exchanges of a step: each part does its own in that order, so nobody waits in
// a ring. Fields with a lag are received at the begin of a step or in it, and sent at the begin of a step, in it or
// at its end, as couplers do.
class Maker {
public:
    Maker(std::uint64_t seed, const RandomSettings &settings) : random_(seed), settings_(settings) {}

    Model model() {
        const auto models =
            static_cast<std::size_t>(random_.whole(2, static_cast<std::int64_t>(settings_.most_parts)));
        static const char *const names[] = {"atmosphere", "ocean", "ice", "land", "waves", "rivers"};
        for (std::size_t c = 0; c < models; ++c)
            add_part(c < 6 ? names[c] : "model" + std::to_string(c), random_law(random_, settings_));
        if (settings_.hubs && random_.chance(0.3))
            add_hub(models);
        else
            add_pairs(models);
        if (settings_.io_servers && random_.chance(0.25)) add_io_server(models);
        for (std::size_t c = 0; c < model_.parts.size(); ++c)
            settle_actions(c);
        if (random_.chance(0.5)) model_.date_step_s = 3600;
        if (settings_.changing) {
            for (Part &part : model_.parts)
                add_course(part);
        }
        return model_;
    }

private:
    struct Meeting {
        std::size_t part = 0;
        Action action;
    };

    void add_part(const std::string &name, Law law) {
        model_.parts.push_back({name,
                                std::move(law),
                                {},
                                random_.uniform(0, settings_.imbalance),
                                random_.uniform(0, settings_.noise),
                                random_.uniform(0, 3),
                                false});
        lagged_.emplace_back();
        sent_first_.emplace_back();
    }

    void add_course(Part &part) {
        const std::int64_t steps = settings_.steps;
        const auto weight = [this] { return random_.log_uniform(0.1, 10); };
        switch (random_.whole(0, 9)) {
        case 0:
            part.course = spin_up(random_.log_uniform(0.5, 10), random_.whole(4, steps / 3));
            break;
        case 1:
            part.course = drift(random_.uniform(-0.7, 2), steps);
            break;
        case 2:
            part.course = regimes({weight(), 1}, steps);
            break;
        case 3:
            part.course = regimes({weight(), 1, weight()}, steps);
            break;
        case 4:
            part.course = slow_until(random_.whole(steps / 8, steps - steps / 8), weight());
            break;
        case 5:
            part.course = day_and_night(random_.uniform(1.2, 4), 2 * random_.whole(2, 12));
            break;
        case 6:
            part.course = heavier_every(random_.whole(2, 8), random_.uniform(1.5, 6));
            break;
        case 7:
            part.course = stalled(random_.whole(1, steps - 2), random_.uniform(2, 20));
            break;
        case 8:
            part.startup_s += random_.uniform(10, 100); // joins late
            break;
        default:
            break;
        }
    }

    void exchange(std::size_t from, std::size_t to, int lag, int every) {
        // Sends that may be under way beyond the lag; -1: any number. At 0 a send waits for the receive of the same
        // step, which without a lag is its own: both leave together.
        const int buffer = static_cast<int>(random_.whole(-1, 3));
        const std::size_t place = model_.exchanges.size();
        model_.exchanges.push_back({"F" + std::to_string(place + 1), from, to, lag, every,
                                    buffer < 0 ? -1 : lag + buffer, random_.log_uniform(1e-5, 1e-3)});
        if (lag == 0) {
            order_.push_back({from, send(place)});
            order_.push_back({to, receive(place)});
            return;
        }
        // Who waits for a receive of the same step may wait only for one at the begin, before which nobody waits for
        // anything of that step.
        if (buffer != 0 && random_.chance(0.3))
            place_amid({to, receive(place)});
        else
            lagged_[to].push_back(receive(place));
        if (random_.chance(0.5))
            at_end_.push_back({from, send(place)});
        else if (random_.chance(0.5))
            sent_first_[from].push_back(send(place));
        else
            place_amid({from, send(place)});
    }

    void place_amid(const Meeting &meeting) {
        const std::int64_t place = random_.whole(0, static_cast<std::int64_t>(order_.size()));
        order_.insert(order_.begin() + place, meeting);
    }

    // The first model exchanges with each of the others, both ways.
    void add_pairs(std::size_t models) {
        for (std::size_t c = 1; c < models; ++c) {
            const int every = random_.chance(0.7) ? 1 : static_cast<int>(random_.whole(2, 4));
            const int lags = static_cast<int>(random_.whole(0, 3)); // 0: both, 1 and 2: one way, 3: none
            const bool first_sends = random_.chance(0.5);
            const int lag = random_.chance(0.2) ? 2 : 1;
            exchange(first_sends ? 0 : c, first_sends ? c : 0, lags == 0 || lags == 1 ? lag : 0, every);
            exchange(first_sends ? c : 0, first_sends ? 0 : c, lags == 0 || lags == 2 ? lag : 0, every);
        }
    }

    // A coupler receives from all, works, sends to all.
    void add_hub(std::size_t models) {
        const double work = random_.log_uniform(0.1, 2);
        add_part("coupler", amdahl(work, random_.log_uniform(1e-4, 1e-2)));
        std::vector<std::size_t> senders, receivers;
        for (std::size_t c = 0; c < models; ++c) {
            senders.push_back(c);
            receivers.push_back(c);
        }
        shuffle(senders);
        shuffle(receivers);
        const int lag = random_.chance(0.6) ? 1 : 0;
        for (const std::size_t c : senders)
            exchange(c, models, 0, 1);
        for (const std::size_t c : receivers)
            exchange(models, c, lag, 1);
    }

    void add_io_server(std::size_t models) {
        const std::size_t server = model_.parts.size();
        add_part("server", amdahl(random_.log_uniform(0.05, 1), 0));
        model_.parts.back().io_server = true;
        const int every = static_cast<int>(random_.whole(1, 2));
        const std::int64_t clients = random_.whole(1, static_cast<std::int64_t>(std::min<std::size_t>(models, 2)));
        for (std::size_t c = 0; c < static_cast<std::size_t>(clients); ++c) {
            exchange(c, server, 0, every);
            model_.exchanges.back().in_flight = static_cast<int>(random_.whole(1, 2));
        }
    }

    void shuffle(std::vector<std::size_t> &places) {
        for (std::size_t n = places.size(); n > 1; --n)
            std::swap(places[n - 1],
                      places[static_cast<std::size_t>(random_.whole(0, static_cast<std::int64_t>(n) - 1))]);
    }

    // Computes between the exchanges; nothing between some of them.
    void settle_actions(std::size_t part) {
        std::vector<Action> meetings = lagged_[part];
        meetings.insert(meetings.end(), sent_first_[part].begin(), sent_first_[part].end());
        const std::size_t at_begin_of_step = meetings.size();
        for (const Meeting &meeting : order_) {
            if (meeting.part == part) meetings.push_back(meeting.action);
        }
        const std::size_t sent_at_end = meetings.size();
        for (const Meeting &meeting : at_end_) {
            if (meeting.part == part) meetings.push_back(meeting.action);
        }
        std::vector<double> shares;
        double sum = 0;
        for (std::size_t n = 0; n <= meetings.size(); ++n) {
            // Nothing is computed before those at the begin, nor after the first of those sent at the end.
            const bool at_begin = n < at_begin_of_step;
            const bool at_end = n > sent_at_end;
            shares.push_back(at_begin || at_end || random_.chance(0.3) ? 0 : random_.uniform(0.1, 1));
            sum += shares.back();
        }
        if (sum == 0) sum = shares[sent_at_end] = 1;
        std::vector<Action> &step = model_.parts[part].step;
        for (std::size_t n = 0; n <= meetings.size(); ++n) {
            if (shares[n] > 0) step.push_back(compute(shares[n] / sum));
            if (n < meetings.size()) step.push_back(meetings[n]);
        }
    }

    Random random_;
    RandomSettings settings_;
    Model model_;
    std::vector<Meeting> order_, at_end_;         // of a step; at its end, with a lag
    std::vector<std::vector<Action>> lagged_;     // by part: received at the begin of a step
    std::vector<std::vector<Action>> sent_first_; // by part: sent right after them
};

} // namespace

Law random_law(Random &random, const RandomSettings &settings) {
    const double work = random.log_uniform(5, 100);
    if (settings.ideal_laws) return ideal(work);
    switch (random.whole(0, settings.blocks ? 5 : 4)) {
    case 0:
        return ideal(work);
    case 1:
        return amdahl(work, work * random.log_uniform(1e-4, 2e-2));
    case 2: {
        const double b = work * random.log_uniform(1e-5, 1e-3);
        const double c = random.uniform(0.2, 1);
        return power(work, b, c, work * random.log_uniform(1e-5, 1e-2));
    }
    case 3:
        return plateau(work, random.log_uniform(8, 100));
    case 4: {
        const double at = random.log_uniform(4, 64);
        return cache(work, at, random.uniform(0.1, 0.4));
    }
    default: {
        const double serial = work * random.log_uniform(1e-4, 1e-2);
        return blocks(work, serial, static_cast<int>(random.whole(16, 200)));
    }
    }
}

Model random_model(std::uint64_t seed, const RandomSettings &settings) {
    return Maker(seed, settings).model();
}

std::string in_words(const Model &model) {
    std::string text;
    char number[40];
    for (const Part &part : model.parts) {
        text += part.name + (part.io_server ? " (I/O server)" : "") + ": " + part.law.name + " s" +
                (part.course.weight ? ", " + part.course.name : "") + ";";
        for (const Action &action : part.step) {
            if (action.what == Action::What::compute) {
                std::snprintf(number, sizeof number, " %.3f", action.share);
                text += number;
            } else {
                text += (action.what == Action::What::send ? " send " : " receive ") +
                        model.exchanges[action.exchange].field;
            }
        }
        text += "\n";
    }
    for (const Exchange &e : model.exchanges) {
        text += e.field + ": " + model.parts[e.from].name + " to " + model.parts[e.to].name + ", lag " +
                std::to_string(e.lag) + ", every " + std::to_string(e.every) + ", in flight " +
                std::to_string(e.in_flight) + "\n";
    }
    return text;
}

} // namespace cpl_lb::simulator
