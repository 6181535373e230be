// SPDX-License-Identifier: Apache-2.0

/// The exit statuses of autofillctl. Those from 64 on are those of sysexits.h.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case refused = 1
    case notFound = 2
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case fault = 70
    case system = 71
    case interrupted = 130

    package var meaning: String {
        switch self {
        case .done: "done"
        case .refused: "refused, or a check failed; the reason and the fix are printed"
        case .notFound: "no object of that name"
        case .usage: "wrong options or arguments"
        case .badData: "a file has mistakes; each is on standard error"
        case .noInput: "a file cannot be read, or there is no terminal for input"
        case .unavailable: "autofilld or a needed program is not available; the reason is printed"
        case .fault: "a fault in autofilld"
        case .system: "the system refused something: a file, a directory, a process"
        case .interrupted: "interrupted from the keyboard"
        }
    }

    /// For `--help` and the manual page.
    package static var table: String {
        allCases.map { status in
            let number = String(status.rawValue)
            return String(repeating: " ", count: 5 - number.utf8.count) + number + "  " + status.meaning
        }.joined(separator: "\n")
    }
}
