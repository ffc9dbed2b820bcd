// Values that processes know by name become one list, the same on all of them.
#pragma once

#include "mpi/group.hpp"

#include <map>
#include <string>
#include <type_traits>
#include <utility>

namespace cpl_lb {

// Values: text, or numbers.
template <class Value>
using NamedValues = std::map<std::string, Value>;

template <class Value>
[[nodiscard]] Bytes pack_named(const NamedValues<Value> &values) {
    WireWriter out;
    for (const auto &[name, value] : values) {
        out.put(name);
        out.put(value);
    }
    return out.take();
}

template <class Value>
[[nodiscard]] NamedValues<Value> unpack_named(const Bytes &bytes) {
    WireReader in(bytes);
    NamedValues<Value> values;
    while (!in.done()) {
        std::string name = in.get_text();
        if constexpr (std::is_same_v<Value, std::string>)
            values[std::move(name)] = in.get_text();
        else
            values[std::move(name)] = in.get<Value>();
    }
    in.finish("shared names");
    return values;
}

// combine(mine, theirs) changes mine if two processes know the same name. The leader, which has all values, calls
// settle(values). False: a message failed.
template <class Value, class Combine, class Settle>
bool share_named(Group &group, NamedValues<Value> &values, Combine combine, Settle settle) {
    const auto unite = [&](NamedValues<Value> &mine, const NamedValues<Value> &theirs) {
        for (const auto &[name, value] : theirs)
            if (const auto [at, is_new] = mine.try_emplace(name, value); !is_new) combine(at->second, value);
    };
    if (!unite_up(group, values, pack_named<Value>, unpack_named<Value>, unite)) return false;
    if (group.leads()) settle(values);
    Bytes bytes = pack_named(values);
    if (!group.broadcast_all(bytes)) return false;
    values = unpack_named<Value>(bytes);
    return true;
}
template <class Value, class Combine>
bool share_named(Group &group, NamedValues<Value> &values, Combine combine) {
    return share_named(group, values, combine, [](const NamedValues<Value> &) {});
}

} // namespace cpl_lb
