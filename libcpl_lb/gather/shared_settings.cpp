#include "gather/shared_settings.hpp"

#include "cpl_lb/cpl_lb.h"
#include "gather/transport.hpp"
#include "io/settings_codec.hpp"
#include "io/settings_source.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace cpl_lb {
namespace {

constexpr std::chrono::microseconds longest_sleep{2000};

struct Message {
    std::int32_t code = CPL_LB_OK;
    std::array<char, encoded_settings_max_bytes + 1> text{}; // empty: switched off
};

void fill(Message &message, SharedSettings &shared) {
    SettingsResult loaded = load_settings_from_system();
    shared.message = loaded.warning;
    if (!loaded.error.empty()) {
        shared.message = loaded.error;
        message.code = CPL_LB_ENAMELIST;
        return;
    }
    if (!loaded.settings.enabled) return;
    // Masters of other components may run in other directories.
    if (std::error_code error; !loaded.settings.directory.empty() && loaded.settings.directory.front() != '/') {
        const std::filesystem::path here = std::filesystem::current_path(error);
        if (!error) loaded.settings.directory = (here / loaded.settings.directory).lexically_normal().string();
    }
    const std::string text = encode(loaded.settings);
    if (text.size() < message.text.size()) {
        std::memcpy(message.text.data(), text.data(), text.size());
    } else {
        shared.message = "cn_dir: the path is too long";
        message.code = CPL_LB_ENAMELIST;
    }
}

// Before the settings are known only the environment can tell how long to wait.
double timeout_before_settings() {
    const char *text = std::getenv("CPL_LB_TIMEOUT");
    const double seconds = text == nullptr ? 0.0 : std::strtod(text, nullptr);
    return seconds > 0.0 ? seconds : Settings{}.timeout_s;
}

// code: of the call that began the request. An error with a request in hand may be only a warning.
int wait_for(int code, MPI_Request &request, double timeout_s) {
    if (code != MPI_SUCCESS && request == MPI_REQUEST_NULL) return CPL_LB_EMPI;
    int flag = 0;
    const auto done = [&] {
        code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        return code != MPI_SUCCESS || flag != 0;
    };
    if (!wait_until(deadline_in(timeout_s), longest_sleep, done)) return CPL_LB_ETIMEOUT;
    return flag != 0 ? CPL_LB_OK : CPL_LB_EMPI;
}

std::string in_words(int code, const char *call, double timeout_s) {
    if (code == CPL_LB_EMPI) return fmt::format("{} failed: switched off here", call);
    return fmt::format("other processes did not come to cpl_lb_init within {} s: switched off here", timeout_s);
}

} // namespace

SharedSettings share_settings(MPI_Comm comm) {
    SharedSettings shared;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    auto message = std::make_unique<Message>();
    if (rank == 0) fill(*message, shared);
    MPI_Request request = MPI_REQUEST_NULL;
    const int begun = MPI_Ibcast(message.get(), static_cast<int>(sizeof(Message)), MPI_BYTE, 0, comm, &request);
    const double timeout_s = timeout_before_settings();
    if (const int code = wait_for(begun, request, timeout_s); code != CPL_LB_OK) {
        static_cast<void>(message.release()); // MPI may still write there
        shared.code = code;
        shared.message = in_words(code, "MPI_Ibcast", timeout_s);
        return shared;
    }
    shared.code = message->code;
    const std::string_view text(message->text.data());
    if (shared.code != CPL_LB_OK || text.empty()) return shared;
    if (const std::optional<Settings> settings = decode_settings(text)) {
        shared.settings = *settings;
    } else {
        shared.code = CPL_LB_EINTERNAL;
        shared.message = "the settings of rank 0 cannot be read: is this executable linked with another version of "
                         "cpl_lb? Switched off here";
    }
    return shared;
}

int duplicate(MPI_Comm comm, double timeout_s, MPI_Comm &own, std::string &message) {
    // Static: an unfinished MPI_Comm_idup may write to it after we gave up. There is one init in a process's life.
    static MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    const int begun = MPI_Comm_idup(comm, &copy, &request);
    const int code = wait_for(begun, request, timeout_s);
    if (code != CPL_LB_OK) {
        message = in_words(code, "MPI_Comm_idup", timeout_s);
        return code;
    }
    MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
    own = copy;
    return CPL_LB_OK;
}

} // namespace cpl_lb
