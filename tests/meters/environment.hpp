// An environment variable for the length of a scope, and functions of a stub that a reader has loaded.
#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <dlfcn.h>
#include <string>

namespace cpl_lb_test {

class ScopedVariable {
public:
    ScopedVariable(const char *name, const std::string &value) : name_(name) { ::setenv(name, value.c_str(), 1); }
    ScopedVariable(const ScopedVariable &) = delete;
    ScopedVariable &operator=(const ScopedVariable &) = delete;
    ~ScopedVariable() { ::unsetenv(name_); }

private:
    const char *name_;
};

// What a function of a loaded stub answers.
inline int ask_stub(const char *library, const char *function) {
    void *const loaded = ::dlopen(library, RTLD_NOW | RTLD_NOLOAD);
    REQUIRE(loaded != nullptr);
    const auto asked = reinterpret_cast<int (*)()>(::dlsym(loaded, function));
    REQUIRE(asked != nullptr);
    return asked();
}

} // namespace cpl_lb_test
