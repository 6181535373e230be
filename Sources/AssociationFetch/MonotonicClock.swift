// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import Glibc

/// Time that cannot be set: CLOCK_MONOTONIC, as libcurl uses it too.
enum MonotonicClock {
    /// Milliseconds since the machine started.
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
