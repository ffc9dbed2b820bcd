// Saves, sets and restores the floating-point environment; on x86-64 by its registers.
#include "support/default_float.hpp"

#if defined(__x86_64__)
#include <array>
#include <immintrin.h>
#endif

namespace cpl_lb {

#if defined(__x86_64__)

namespace {

// Intel SDM vol. 1, 8.1.5 and 10.2.3: all exceptions masked, to nearest; x87 in double extended precision.
constexpr std::uint32_t default_sse = 0x1f80;
constexpr std::uint16_t default_x87 = 0x037f;
constexpr std::uint16_t x87_flags = 0x00ff; // exceptions, stack fault and their summary

std::uint16_t x87_status() noexcept {
    std::uint16_t status = 0;
    __asm__ volatile("fnstsw %0" : "=m"(status));
    return status;
}

// The flags of a status word can be set only together with the rest of the unit.
void set_x87_flags(std::uint16_t flags) noexcept {
    std::array<std::uint32_t, 7> unit{}; // Intel SDM vol. 1, figure 8-9: control word, status word, tags, pointers
    __asm__ volatile("fnstenv %0" : "=m"(unit));
    unit[1] = (unit[1] & ~std::uint32_t{x87_flags}) | flags;
    __asm__ volatile("fldenv %0" : : "m"(unit));
}

} // namespace

DefaultFloat::DefaultFloat() noexcept : sse_(_mm_getcsr()), x87_status_(x87_status()) {
    __asm__ volatile("fnstcw %0" : "=m"(x87_control_));
    _mm_setcsr(default_sse);
    if (x87_control_ != default_x87) __asm__ volatile("fldcw %0" : : "m"(default_x87));
}

// A flag that was raised in here would trap in the model's next instruction: flags first.
DefaultFloat::~DefaultFloat() {
    const auto before = static_cast<std::uint16_t>(x87_status_ & x87_flags);
    if ((x87_status() & x87_flags) != before) set_x87_flags(before);
    if (x87_control_ != default_x87) __asm__ volatile("fldcw %0" : : "m"(x87_control_));
    _mm_setcsr(sse_);
}

#else

DefaultFloat::DefaultFloat() noexcept {
    std::fegetenv(&models_);
    std::fesetenv(FE_DFL_ENV);
}

DefaultFloat::~DefaultFloat() {
    std::fesetenv(&models_);
}

#endif

} // namespace cpl_lb
