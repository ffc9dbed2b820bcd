// An environment variable for the length of a scope.
#pragma once

#include <stdlib.h>
#include <string>

namespace cpl_lb_test {

class Environment {
public:
    Environment(const char *name, const std::string &value) : name_(name) { ::setenv(name, value.c_str(), 1); }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;
    ~Environment() { ::unsetenv(name_); }

private:
    const char *name_;
};

} // namespace cpl_lb_test
