// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// As many as the administrator lets this user have; systemd gives 1,024 at first. A service has one or two of each client.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
