// Compiles nlohmann's JSON parser once for all tests.
#include "tests/json.hpp"

template class nlohmann::basic_json<>;
template class nlohmann::detail::serializer<nlohmann::json>;
template class nlohmann::detail::lexer<nlohmann::json, JsonText>;
template class nlohmann::detail::parser<nlohmann::json, JsonText>;
