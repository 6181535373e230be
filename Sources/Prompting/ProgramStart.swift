// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import Glibc
internal import Synchronization

/// One start of a program on a thread of the pool, which its requester may abandon meanwhile: then nothing of it
/// remains.
final class ProgramStart: Sendable {
    private enum State { case wanted, abandoned, started(Int32) }

    private let program: String
    private let arguments: [String]
    private let environment: [String: String]
    private let socket: Int32
    private let state = Mutex(State.wanted)

    /// - Parameters:
    ///   - environment: its whole environment.
    ///   - socket: its input and output; closed when this is released.
    init(_ program: String, _ arguments: [String], environment: [String: String], socket: Int32) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.socket = socket
    }

    deinit { af_close(socket) }

    /// On a thread that may wait, once.
    ///
    /// - Returns: the process, or a negated errno.
    func run() -> Int32 {
        if case .abandoned = state.withLock({ $0 }) { return -ECANCELED }
        let words = NullEnded([program] + arguments)
        let variables = NullEnded(environment.map { "\($0.key)=\($0.value)" })
        var process: Int32 = 0
        let result = af_spawn_prompter(program, words.pointers, variables.pointers, socket, &process)
        guard result == 0 else { return result }
        let isWanted = state.withLock { state in
            if case .abandoned = state { return false }
            state = .started(process)
            return true
        }
        if isWanted { return process }
        af_end_prompter(process)
        return -ECANCELED
    }

    /// On the loop.
    ///
    /// - Returns: the process, which is now the caller's to end, where it was started already.
    func abandon() -> Int32? {
        state.withLock { state in
            defer { state = .abandoned }
            if case .started(let process) = state { return process }
            return nil
        }
    }
}

/// Strings as a C array; freed when it is released.
private final class NullEnded {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        pointers =
            strings.map { string in
                let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: string.utf8.count + 1)
                for (index, byte) in string.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
                copy[string.utf8.count] = 0
                return copy.baseAddress
            } + [nil]
    }

    deinit { for pointer in pointers { pointer?.deallocate() } }
}
