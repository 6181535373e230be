// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard limit; systemd sets a soft limit of 1,024. A service has one or two
    /// descriptors per client.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
