// SPDX-License-Identifier: Apache-2.0

/// The code of an `ERR` line: the lower 16 bits of its number are libgpg-error's code.
enum PinentryError: Hashable {
    case timedOut, cancelled, notConfirmed
    case other(Int)

    static let lineTooLong = PinentryError.other(263)

    init(_ line: UnsafeRawBufferPointer) {
        let digits = line.dropFirst(4).prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(12)
        let code = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } & 0xFFFF
        self =
            switch code {
            case 62: .timedOut
            case 99, 198: .cancelled
            case 114: .notConfirmed
            default: .other(code)
            }
    }

    var outcome: PromptOutcome {
        switch self {
        case .timedOut: .timedOut
        case .cancelled, .notConfirmed: .declined
        case .other(let code): .unavailable("the prompter failed with error \(code)")
        }
    }
}
