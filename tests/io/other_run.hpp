// Another run, in a process of its own, that has the folder for results: locks hold between processes only.
#pragma once

#include "io/files/folder_claim.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace cpl_lb::test {

inline ClaimingRun run_named(const std::string &name) {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    return {"token of " + name, name, host.data(), "2026-01-02T03:04:05Z", ::getpid()};
}

// Has the folder until it is told to end.
class OtherProcess {
public:
    explicit OtherProcess(const std::string &folder) {
        REQUIRE(::pipe(to_.data()) == 0);
        REQUIRE(::pipe(from_.data()) == 0);
        child_ = ::fork();
        if (child_ == 0) hold(folder);
        ::close(to_[0]);
        char c = 0;
        REQUIRE(::read(from_[0], &c, 1) == 1);
    }
    ~OtherProcess() { end(); }
    OtherProcess(const OtherProcess &) = delete;
    OtherProcess &operator=(const OtherProcess &) = delete;
    void end() {
        if (child_ <= 0) return;
        ::close(to_[1]);
        ::waitpid(child_, nullptr, 0);
        child_ = 0;
    }
    [[nodiscard]] pid_t id() const { return child_; }

private:
    [[noreturn]] void hold(const std::string &folder) {
        ::close(to_[1]);
        const FolderClaim claim(folder, run_named("other"));
        char c = 'c';
        static_cast<void>(::write(from_[1], &c, 1));
        static_cast<void>(::read(to_[0], &c, 1)); // until the parent closes its end
        ::_exit(0);                               // as a run that is killed: the claim stays, its lock does not
    }
    std::array<int, 2> to_{};
    std::array<int, 2> from_{};
    pid_t child_ = 0;
};

} // namespace cpl_lb::test
