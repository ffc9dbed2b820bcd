// nlohmann's JSON for tests: compiled once, in json.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

using JsonText = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;
extern template class nlohmann::basic_json<>;
extern template class nlohmann::detail::serializer<nlohmann::json>;
extern template class nlohmann::detail::lexer<nlohmann::json, JsonText>;
extern template class nlohmann::detail::parser<nlohmann::json, JsonText>;
