// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The processor time of the present thread: other work of the machine and its disk do not count.
package func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
