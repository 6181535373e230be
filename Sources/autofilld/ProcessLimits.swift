// SPDX-License-Identifier: Apache-2.0
internal import CWipingHeap
internal import Glibc
internal import Systemd

/// What the process does with its heap, and with signals and limits that would end it, or keep clients out.
enum ProcessLimits {
    static func prepare() {
        af_wipe_freed_memory()
        ProcessMemory.keepOneHeap()
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files then refuses a save for lack of space, and does not end the daemon.
        signal(SIGXFSZ, SIG_IGN)
        DescriptorLimit.raise()
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
