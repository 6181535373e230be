// SPDX-License-Identifier: Apache-2.0
internal import CWipingHeap
internal import Glibc

/// What the process does with its heap, and with signals and limits that would end it, or keep clients out.
enum ProcessLimits {
    static func prepare() {
        af_wipe_freed_memory()
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is then a save refused for want of room, not the end of the daemon.
        signal(SIGXFSZ, SIG_IGN)
        raiseDescriptorLimit()
    }

    /// As many clients as the administrator lets this user have descriptors.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

/// The environment that the process was started with.
enum ProcessEnvironment {
    static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let line = entry.pointee {
            let text = String(cString: line)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }
}
