// SPDX-License-Identifier: Apache-2.0
internal import BrowserMessages
internal import CAutofillLinux
internal import Glibc

/// The process that started the host, if it can be identified.
final class Caller {
    /// The bundle ID of the host's own registration.
    static let ownBundleID = HostManifest.bundleID

    /// The browser that is the parent process, by its program; nil if a portal started the host for a browser in a sandbox.
    let browser: SupportedBrowser?
    /// The pidfd of the parent if it is a browser, else -1. Open for the lifetime of the host.
    let pidfd: Int32
    /// Whether to try to act for the browser. The daemon logs each refusal, so the host tries once per run.
    var mayBeDelegate = true
    /// Further evidence about the parent.
    let evidence: String

    init(calledAs called: SupportedBrowser) {
        evidence = "the \(called.family.rawValue) extension"
        let parent = getppid()
        let descriptor = af_pidfd_open(parent)
        let browser = Self.program(of: parent).flatMap { SupportedBrowser.running($0) }
        // If the parent is still the same, the process of the descriptor had that program.
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
