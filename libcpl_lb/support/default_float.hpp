// The default floating-point environment while the library works: no traps, round to nearest, nothing flushed to
// zero. The model gets its own back as it was, exception flags included.
#pragma once

#if defined(__x86_64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace cpl_lb {

// Constructor and destructor are calls into another file, so that the compiler moves no arithmetic across them.
class DefaultFloat {
public:
    DefaultFloat() noexcept;
    ~DefaultFloat();
    DefaultFloat(const DefaultFloat &) = delete;
    DefaultFloat &operator=(const DefaultFloat &) = delete;

private:
#if defined(__x86_64__)
    // fegetenv and fesetenv take 600 ns there, because they load the whole x87 unit; its two words take 40.
    std::uint32_t sse_;
    std::uint16_t x87_control_ = 0, x87_status_ = 0;
#else
    std::fenv_t models_;
#endif
};

} // namespace cpl_lb
