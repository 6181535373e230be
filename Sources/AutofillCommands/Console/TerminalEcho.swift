// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The echo of a terminal, which is off while a secret is typed. Each change discards what was typed and not read.
struct TerminalEcho: Sendable {
    private let descriptor: Int32
    private let former: termios

    init(of terminal: Terminal) throws(CommandFailure) {
        var former = termios()
        guard tcgetattr(terminal.descriptor, &former) == 0 else { throw Self.failure }
        (descriptor, self.former) = (terminal.descriptor, former)
    }

    /// Disables the echo. Where keys send no signals, which could end the process with the echo still off, Control-C
    /// ends the line instead, and is detected at its end. Where they do, only Control-C does: a stopped process would
    /// leave the echo off.
    func hide(keysSendSignals: Bool) throws(CommandFailure) {
        var hidden = former
        hidden.c_lflag &= ~tcflag_t(keysSendSignals ? ECHO | ECHONL : ECHO | ECHONL | ISIG)
        if keysSendSignals {
            (hidden.c_cc.1, hidden.c_cc.10) = (0, 0)  // VQUIT, VSUSP: _POSIX_VDISABLE
        } else {
            hidden.c_cc.11 = Terminal.interrupt  // VEOL
        }
        guard tcsetattr(descriptor, TCSAFLUSH, &hidden) == 0 else { throw Self.failure }
    }

    func restore() {
        var former = former
        tcsetattr(descriptor, TCSAFLUSH, &former)
    }

    private static let failure = CommandFailure(.noInput, "The terminal's echo cannot be disabled")
}
