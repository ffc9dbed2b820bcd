// Draws components, what they compute, and how they pass messages, from a list of the ways that real programs have.
#include "tests/programs/program.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

namespace cpl_lb::programs {
namespace {

using What = Action::What;
using Message = Action::Message;

class Maker {
public:
    Maker(std::uint64_t seed, const Limits &limits) : random_(seed), limits_(limits) {}

    Program make() {
        const int components = whole(2, limits_.components);
        static const char *const names[] = {"atm", "ocean", "ice", "land", "waves"};
        for (int c = 0; c < components; ++c) {
            program_.components.emplace_back(names[c]);
            const int size = whole(1, limits_.processes);
            for (int i = 0; i < size; ++i)
                program_.component_of.push_back(c);
            // Processes that are in step with each other, and processes that have nothing to do with each other.
            in_step_.push_back(one_in(2));
            work_.push_back(0.02 * std::exp2(uniform(0, 4))); // seconds in a step
        }
        program_.pattern.assign(program_.components.size(), tags_of_step);
        program_.processes.resize(program_.component_of.size());
        program_.steps = whole(limits_.least_steps, limits_.most_steps);
        late_ = whole(0, static_cast<int>(program_.processes.size()) - 1);
        // One that its component does not wait for is late for itself alone.
        const int of_late = program_.component_of[static_cast<std::size_t>(late_)];
        late_s_ = in_step_[static_cast<std::size_t>(of_late)] && one_in(2) ? uniform(0.05, 0.3) : 0;
        one_tag_ = one_in(4);
        noise_ = one_in(2) ? 0 : 0.03;
        const int couplings = components - 1 + whole(0, 2);
        for (int i = 0; i < couplings; ++i)
            add_coupling(i);
        say("; ");
        for (int c = 0; c < components; ++c)
            say(program_.components[static_cast<std::size_t>(c)] + " x " + std::to_string(program_.size(c)) + " ");
        set_up();
        for (int step = 0; step < program_.steps; ++step)
            add_step(step);
        return std::move(program_);
    }

private:
    static constexpr int tags_of_step = 7; // in turn
    enum class Way { pairs, loop, together, anybody, hub, relay, headers, ring, collective };
    static constexpr int ways = 9;
    enum class Tags { one, of_pair, of_step };
    struct Coupling {
        Way way = Way::pairs;
        int a = 0, b = 0, through = -1; // components
        int tag = 0;
        Tags tags = Tags::one;
        bool back = false; // an answer, received together
        bool probes = false;
        bool one_by_one = false; // a hub's receives
        bool persistent = false; // requests are made once
        int every = 1;
    };

    int whole(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
    double uniform(double least, double most) { return std::uniform_real_distribution<double>(least, most)(random_); }
    bool one_in(int n) { return whole(1, n) == 1; }
    void say(const std::string &words) { program_.words += words; }

    // The first couplings join all components, each with one before it.
    void add_coupling(int i) {
        const int components = static_cast<int>(program_.components.size());
        Coupling k;
        k.b = i + 1 < components ? i + 1 : whole(1, components - 1);
        k.a = whole(0, k.b - 1);
        static const char *const names[] = {"pairs", "loop",    "together", "anybody",   "hub",
                                            "relay", "headers", "ring",     "collective"};
        k.way = static_cast<Way>(whole(0, ways - 1));
        k.tag = one_tag_ ? 1 : 10 * (i + 1);
        k.tags = one_in(5) ? Tags::of_pair : one_in(6) ? Tags::of_step : Tags::one;
        if (one_tag_) k.tags = Tags::one;
        k.back = one_in(2);
        k.probes = one_in(4);
        k.one_by_one = one_in(2);
        k.persistent = one_in(4) && k.way != Way::collective;
        if (k.way == Way::collective) k.tags = Tags::one; // it has none
        if (k.way == Way::collective || k.way == Way::ring) k.back = false;
        if (one_tag_ && k.way == Way::anybody) k.way = Way::loop; // or it would take what is for another coupling
        if (k.way == Way::headers) k.every = whole(2, 10);
        if (k.way == Way::relay) {
            k.through = whole(0, components - 1);
            if (k.through == k.a || k.through == k.b) k.way = Way::together;
        }
        say((program_.words.empty() ? "" : ", ") + std::string(names[static_cast<int>(k.way)]) + " " +
            program_.components[static_cast<std::size_t>(k.a)] + ">" +
            program_.components[static_cast<std::size_t>(k.b)] + (k.back ? "<>" : "") +
            (k.persistent ? " persistent" : "") +
            (k.tags == Tags::one       ? ""
             : k.tags == Tags::of_pair ? " tag of pair"
                                       : " tag of step"));
        for (int c = 0; c < components; ++c)
            if ((k.way == Way::ring || c == k.a || c == k.b || c == k.through) && k.tags != Tags::of_step)
                program_.pattern[static_cast<std::size_t>(c)] = 1;
        couplings_.push_back(k);
    }

    void act(int p, Action a) { program_.processes[static_cast<std::size_t>(p)].push_back(std::move(a)); }
    void receive(const Coupling &k, int p, std::vector<Message> messages, bool probes) {
        if (probes) act(p, {What::probe, 0, {messages.front()}, -1});
        act(p, {What::receive, 0, std::move(messages), -1, -1, k.persistent});
    }
    [[nodiscard]] int tag_of(const Coupling &k, int sender, int receiver, int step) const {
        if (k.tags == Tags::of_pair) return 1000 * (k.tag + 1) + 20 * sender + receiver;
        if (k.tags == Tags::of_step) return k.tag + step % tags_of_step;
        return k.tag;
    }

    // Everybody once, all together, before the first step.
    void set_up() {
        for (std::size_t p = 0; p < program_.processes.size(); ++p) {
            act(static_cast<int>(p), {What::compute, static_cast<std::int64_t>(1e9 * uniform(0.01, 0.4)), {}, -1});
            act(static_cast<int>(p), {What::meet, 0, {}, -1});
        }
    }

    void add_step(int step) {
        for (std::size_t p = 0; p < program_.processes.size(); ++p) {
            const auto c = static_cast<std::size_t>(program_.component_of[p]);
            double s = work_[c] * (1 + noise_ * std::normal_distribution<double>()(random_));
            if (static_cast<int>(p) == late_) s += late_s_;
            act(static_cast<int>(p), {What::compute, static_cast<std::int64_t>(1e9 * std::max(s, 1e-4)), {}, -1});
            if (in_step_[c]) act(static_cast<int>(p), {What::meet, 0, {}, static_cast<int>(c)});
        }
        for (const Coupling &k : couplings_)
            couple(k, step);
    }

    using Pairs = std::vector<std::pair<int, int>>; // sender, receiver

    // Who of b needs something of a: blocks of one index space, cut in as many as each has.
    [[nodiscard]] Pairs overlaps(const std::vector<int> &a, const std::vector<int> &b) const {
        Pairs pairs;
        const std::size_t n = a.size() * b.size();
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (std::size_t j = 0; j < b.size(); ++j)
                if (i * n / a.size() < (j + 1) * n / b.size() && j * n / b.size() < (i + 1) * n / a.size())
                    pairs.emplace_back(a[i], b[j]);
        }
        return pairs;
    }

    [[nodiscard]] Pairs pairs_of(const std::vector<int> &a, const std::vector<int> &b, Way way) const {
        if (way != Way::pairs) return overlaps(a, b);
        Pairs pairs;
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
            pairs.emplace_back(a[i], b[i]);
        return pairs;
    }
    void send_all(const Coupling &k, const Pairs &pairs, int step) {
        for (const auto &[from, to] : pairs)
            act(from, {What::send, 0, {{to, tag_of(k, from, to, step)}}, -1, -1, k.persistent});
    }
    void receive_all(const Coupling &k, const Pairs &pairs, int step, Way way) {
        std::map<int, std::vector<Message>> of_receiver;
        for (const auto &[from, to] : pairs)
            of_receiver[to].push_back({from, tag_of(k, from, to, step)});
        for (const auto &[to, messages] : of_receiver) {
            if (way == Way::together || way == Way::pairs) {
                receive(k, to, messages, k.probes && messages.size() == 1);
            } else if (way == Way::anybody && k.tags != Tags::of_pair) {
                const int senders = program_.component_of[static_cast<std::size_t>(pairs.front().first)];
                for (const Message &m : messages)
                    act(to, {What::receive, 0, {{-1, m.tag}}, senders, -1, k.persistent});
            } else {
                for (const Message &m : messages)
                    receive(k, to, {m}, k.probes);
            }
        }
    }
    void transfer(const Coupling &k, const std::vector<int> &a, const std::vector<int> &b, int step, Way way) {
        const Pairs pairs = pairs_of(a, b, way);
        send_all(k, pairs, step);
        receive_all(k, pairs, step, way);
    }

    // Each component sends to the next one, and the last to the first: all at once, or one after the other.
    void ring(const Coupling &k, int step) {
        const int components = static_cast<int>(program_.components.size());
        std::vector<Pairs> links;
        links.reserve(program_.components.size());
        for (int c = 0; c < components; ++c)
            links.push_back(pairs_of(program_.members(c), program_.members((c + 1) % components), Way::loop));
        for (const Pairs &link : links) {
            send_all(k, link, step);
            if (k.one_by_one) receive_all(k, link, step, Way::loop);
        }
        for (const Pairs &link : links)
            if (!k.one_by_one) receive_all(k, link, step, Way::together);
    }

    void couple(const Coupling &k, int step) {
        const std::vector<int> a = program_.members(k.a), b = program_.members(k.b);
        const std::vector<int> first_of_a{a.front()};
        switch (k.way) {
        case Way::relay: {
            const std::vector<int> through = program_.members(k.through);
            transfer(k, a, {through.front()}, step, Way::loop);
            transfer(k, {through.front()}, b, step, Way::loop);
            break;
        }
        case Way::hub: // the first of b is the master of a's processes
            transfer(k, a, {b.front()}, step, k.one_by_one ? Way::loop : Way::together);
            break;
        case Way::headers:
            transfer(k, step % k.every == 0 ? a : first_of_a, {b.front()}, step, Way::loop);
            break;
        case Way::ring:
            ring(k, step);
            break;
        case Way::collective:
            for (const std::vector<int> &side : {a, b})
                for (const int p : side)
                    act(p, {What::meet, 0, {}, k.a, k.b});
            break;
        default:
            transfer(k, a, b, step, k.way);
            break;
        }
        if (!k.back) return;
        Coupling answer = k;
        answer.tag = one_tag_ ? 1 : k.tag + 7;
        answer.probes = false;
        if (k.way == Way::hub)
            transfer(answer, {b.front()}, a, step, Way::together);
        else
            transfer(answer, b, a, step, Way::together);
    }

    std::mt19937_64 random_;
    Limits limits_;
    Program program_;
    std::vector<double> work_; // by component
    std::vector<bool> in_step_;
    std::vector<Coupling> couplings_;
    int late_ = 0;
    double late_s_ = 0, noise_ = 0;
    bool one_tag_ = false;
};

} // namespace

Program random_program(std::uint64_t seed, const Limits &limits) {
    return Maker(seed, limits).make();
}

} // namespace cpl_lb::programs
