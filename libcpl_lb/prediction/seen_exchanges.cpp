// What several runs of a model show about its exchanges: lags, and whether a sender waits.
#include "analysis/exchanges.hpp"
#include "prediction/graph_parts.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace cpl_lb {
namespace {

std::tuple<std::string, std::string, std::string> exchange_key(const CoupledRun &run, const Exchange &exchange) {
    return {field_name(run, exchange.field), run.component_name(exchange.source),
            run.component_name(exchange.target)};
}

} // namespace

void add_seen(SeenExchanges &seen, const CoupledRun &run, const MeasuredGraph &measured) {
    for (const MatchedExchange &m : measured.exchanges) {
        SeenExchange &one = seen[exchange_key(run, m.exchange)];
        if (one.transfer == Transfer::not_seen) one.transfer = m.transfer;
        if (m.exchange.violations == 0) one.lag = std::max(one.lag, m.exchange.lag);
    }
}

std::vector<Exchange> with_seen_lags(const CoupledRun &run, std::vector<Exchange> exchanges,
                                     const SeenExchanges &seen) {
    for (Exchange &exchange : exchanges) {
        const auto elsewhere = seen.find(exchange_key(run, exchange));
        if (elsewhere != seen.end() && exchange.violations == 0)
            exchange.lag = std::max(exchange.lag, elsewhere->second.lag);
    }
    return exchanges;
}

std::vector<Transfer> settled_transfers(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges,
                                        const Sharing &shares, const SeenExchanges &seen) {
    const ComponentPlaces places(run);
    std::int64_t balance = 0;
    for (const MatchedExchange &m : exchanges)
        balance += m.transfer == Transfer::buffered ? 1 : m.transfer == Transfer::synchronous ? -1 : 0;
    std::vector<Transfer> transfers;
    transfers.reserve(exchanges.size());
    for (const MatchedExchange &m : exchanges) {
        const std::vector<std::size_t> &in_turn = shares[places.of(m.exchange.source)];
        const bool buffered =
            balance > 0 || std::binary_search(in_turn.begin(), in_turn.end(), places.of(m.exchange.target));
        Transfer transfer = m.transfer;
        if (const auto elsewhere = seen.find(exchange_key(run, m.exchange));
            elsewhere != seen.end() && transfer == Transfer::not_seen)
            transfer = elsewhere->second.transfer;
        if (transfer == Transfer::not_seen) transfer = buffered ? Transfer::buffered : Transfer::synchronous;
        transfers.push_back(transfer);
    }
    return transfers;
}

} // namespace cpl_lb
