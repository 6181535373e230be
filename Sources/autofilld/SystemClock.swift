// SPDX-License-Identifier: Apache-2.0
internal import Credentials

#if canImport(Glibc)
    internal import Glibc
#endif

/// The real time.
enum SystemClock {
    static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
