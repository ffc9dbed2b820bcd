// The balance of a run as bars of characters.
#include "report/format.hpp"
#include "support/fmt.hpp"
#include "tools/watch/progress_of_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t bar_name_columns = 16, words_columns = 32;

std::vector<const Component *> chosen_from(const CoupledRun &run, std::size_t most) {
    std::vector<const Component *> chosen;
    for (const Component &c : run.components)
        if (is_known(c.balance.loop_s) && c.balance.loop_s > 0 && is_known(c.balance.waiting_s)) chosen.push_back(&c);
    const auto weight = [](const Component *c) { return c->balance.loop_s * static_cast<double>(c->cores()); };
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](const Component *a, const Component *b) { return weight(a) > weight(b); });
    chosen.resize(std::min(chosen.size(), most));
    std::sort(chosen.begin(), chosen.end(), [](const Component *a, const Component *b) { return a->id < b->id; });
    return chosen;
}

std::string padded(const std::string &text, std::size_t columns) {
    return text + std::string(columns - std::min(columns, display_columns(text)), ' ');
}

std::string mostly_for(const CoupledRun &run, const ComponentBalance &balance) {
    const auto most = std::max_element(
        balance.waiting_for.begin(), balance.waiting_for.end(),
        [](const WaitingFor &a, const WaitingFor &b) { return a.get_s + a.put_s < b.get_s + b.put_s; });
    if (most == balance.waiting_for.end() || most->get_s + most->put_s <= 0 || most->component == 0) return "";
    return ", most for " + short_name(run.component_name(most->component), bar_name_columns);
}

} // namespace

bool terminal_has_colour() {
    const char *terminal = std::getenv("TERM");
    const char *no_colour = std::getenv("NO_COLOR");
    return ::isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb" &&
           (no_colour == nullptr || *no_colour == '\0');
}

std::string balance_bars(const CoupledRun &run, std::size_t columns, bool colour, std::size_t most) {
    const std::size_t bar = columns - std::min(columns - 10, bar_name_columns + words_columns + 2);
    std::string text;
    for (const Component *c : chosen_from(run, most)) {
        const double share = std::clamp(c->balance.waiting_s / c->balance.loop_s, 0.0, 1.0);
        const auto waits = static_cast<std::size_t>(std::lround(share * static_cast<double>(bar)));
        const std::string computing(bar - waits, '=');
        const bool idle = c->balance.is_io_server;
        const std::string waiting(waits, idle ? ' ' : '.');
        text += padded(short_name(c->name, bar_name_columns), bar_name_columns) + ' ';
        // Blue and orange of Okabe and Ito, which colour-blind eyes tell apart (256-colour codes 32 and 208).
        text += colour ? "\x1b[38;5;32m" + computing + "\x1b[38;5;208m" + waiting + "\x1b[0m" : computing + waiting;
        text += (idle        ? " idle " + share_in_words(share) + ", takes data only"
                 : share > 0 ? " waits " + share_in_words(share) + mostly_for(run, c->balance)
                             : " does not wait") +
                "\n";
    }
    return text;
}

} // namespace cpl_lb
