// An environment variable for the length of a scope.
#pragma once

#include <cstdlib>
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

} // namespace cpl_lb_test
