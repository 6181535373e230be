// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A progress bar on standard error, after one second: only on a terminal, and only if standard output is not a
/// terminal.
struct RulesProgress {
    private static let width = 40
    private let total: Int
    private let isShown: Bool
    private let clock = ContinuousClock()
    private var nextTime: ContinuousClock.Instant
    private var hasBegun = false

    init(total: Int) {
        self.total = total
        isShown = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 0
        nextTime = clock.now + .seconds(1)
    }

    mutating func show(_ done: Int) {
        guard isShown, clock.now >= nextTime else { return }
        nextTime = clock.now + .milliseconds(100)
        hasBegun = true
        let filled = Self.width * done / max(total, 1)
        let bar = String(repeating: "#", count: filled) + String(repeating: " ", count: Self.width - filled)
        write("\r[\(bar)] \(100 * done / max(total, 1)) %")
    }

    /// Erases the bar.
    func finish() {
        if hasBegun { write("\r" + String(repeating: " ", count: Self.width + 8) + "\r") }
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
