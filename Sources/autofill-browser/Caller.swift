// SPDX-License-Identifier: Apache-2.0
internal import BrowserMessages
internal import CAutofillLinux
internal import Glibc

/// The process that started the host, as far as it can be told.
final class Caller {
    /// The bundle ID of the host's own registration.
    static let ownBundleID = HostManifest.bundleID

    /// The browser that is the parent, by its program. A portal starts the host for a browser in a sandbox: then there is none.
    let browser: KnownBrowser?
    /// Of the parent where it is a browser, else -1. Open as long as the host runs.
    let pidfd: Int32
    /// Whether the daemon may let this program speak for the browser. Each refusal stands in its journal: one a run is enough.
    var mayBeDelegate = true
    /// What is said of the parent besides.
    let evidence: String

    init(calledAs called: KnownBrowser) {
        evidence = "the \(called.family.rawValue) extension"
        let parent = getppid()
        let descriptor = af_pidfd_open(parent)
        let browser = Self.program(of: parent).flatMap { KnownBrowser.running($0) }
        // Still the same parent: the process that the descriptor is of had that program.
        if descriptor >= 0, let browser, getppid() == parent {
            (self.browser, pidfd) = (browser, descriptor)
        } else {
            if descriptor >= 0 { close(descriptor) }
            (self.browser, pidfd) = (nil, -1)
        }
    }

    private static func program(of process: pid_t) -> String? {
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &target, target.count)
        return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
    }
}
