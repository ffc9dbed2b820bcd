// Exchanges between components: which PUT belongs to which GET (docs/definitions.md, section 1).
#pragma once

#include "data/coupled_run.hpp"
#include "support/budget.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb {

// If the model did not name the counterpart of an exchange, it is the one other component that has the same field
// name with the opposite kind, if there is exactly one. The gathering at terminate follows the same rule.
// Changes keys in run.components[].table.
void infer_counterparts(CoupledRun &run);

// The name of a field; its number if it has none.
[[nodiscard]] std::string field_name(const CoupledRun &run, std::int32_t id);

// There are too many exchanges to list. what() is one line for the user.
struct TooManyExchanges : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// An exchange is a field, not a part of another one (data/field_parts.hpp), with PUTs in one component and GETs in
// another, and with agreeing or unknown counterparts. A PUT without a counterpart goes to all components that get the
// field. The order is field, source, target; then come collective operations (sync_exchanges.hpp). Components that
// name no counterpart, and those in one collective operation, exchange with all others. Throws TooManyExchanges if
// that makes more than a million, and BudgetUsedUp.
[[nodiscard]] std::vector<Exchange> find_exchanges(const CoupledRun &run, const Budget &budget = {});

// Sets run.clock.order_violations from all exchanges of the run, and adds a remark if there are any.
void count_order_violations(CoupledRun &run, const std::vector<Exchange> &exchanges);

// The smallest lag l >= 0 without a violation, else the one with the fewest (the smallest of equals). Only lags count
// that leave a partner to at least one PUT, and to half of the PUTs as far as there are GETs.
// A PUT begins with the first of its processes (min_p s), and a GET ends with the last of its own (E_k). A tighter
// rule would count a process that needs nothing from the other as a violation. Both lists ascend.
struct Lag {
    std::int64_t lag = 0;
    std::int64_t matched = 0;
    std::int64_t violations = 0;
};
[[nodiscard]] Lag find_lag(const std::vector<Nanoseconds> &put_begins, const std::vector<Nanoseconds> &get_ends,
                           Nanoseconds clock_bound);

} // namespace cpl_lb
