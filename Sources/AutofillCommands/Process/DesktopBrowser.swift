// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Glibc

/// The browser that the desktop opens addresses in.
enum DesktopBrowser {
    /// Opens an address if this session has a desktop and xdg-open. Other users can read it in the arguments.
    static func open(_ address: String) {
        let environment = ProcessInfo.processInfo.environment
        guard environment["WAYLAND_DISPLAY"] != nil || environment["DISPLAY"] != nil,
            let opener = (environment["PATH"] ?? "").split(separator: ":").map({ String($0) + "/xdg-open" })
                .first(where: { access($0, X_OK) == 0 })
        else { return }
        // Its end is not waited for: it may be that of the browser.
        _ = try? ChildProcess.start(
            opener, [address], environment: environment,
            files: [
                (STDIN_FILENO, .path("/dev/null", flags: O_RDONLY)),
                (STDOUT_FILENO, .path("/dev/null", flags: O_WRONLY)),
                (STDERR_FILENO, .path("/dev/null", flags: O_WRONLY)),
            ])
    }
}
