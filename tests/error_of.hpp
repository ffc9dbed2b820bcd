// What a call is refused with.
#pragma once

#include "io/files/file_error.hpp"

#include <string>

namespace cpl_lb::test {

// The words of the FileError that it throws; empty: none.
template <class Call>
std::string error_of(Call call) {
    try {
        call();
    } catch (const FileError &error) {
        return error.what();
    }
    return "";
}

} // namespace cpl_lb::test
