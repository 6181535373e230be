// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import SecretMemory

/// A running prompter and our end of its conversation. It ends when this goes.
final class PrompterProcess {
    enum Failure: Error { case start(errno: Int32), ended, tooLong, timedOut, withdrawn }

    private let socket: Int32
    private let process: Int32
    private let withdrawal: Withdrawal
    /// What it sent and was not yet looked at: there may be a passphrase in it.
    private let buffer = UnsafeMutableRawBufferPointer(
        start: af_secret_alloc(PrompterProcess.bufferBytes), count: PrompterProcess.bufferBytes)
    private var filled = 0
    private static let bufferBytes = 4096

    /// - Parameter environment: all that it gets of one.
    init(
        _ program: String, _ arguments: [String] = [], environment: [String: String], withdrawal: Withdrawal
    ) throws(Failure) {
        var sockets: [Int32] = [-1, -1]
        let paired = af_socket_pair(&sockets)
        guard paired == 0 else { throw .start(errno: -paired) }
        let words = NullEnded([program] + arguments)
        let variables = NullEnded(environment.map { "\($0.key)=\($0.value)" })
        var process: Int32 = 0
        let started = af_spawn_prompter(program, words.pointers, variables.pointers, sockets[1], &process)
        af_close(sockets[1])
        guard started == 0 else {
            af_close(sockets[0])
            throw .start(errno: -started)
        }
        socket = sockets[0]
        self.process = process
        self.withdrawal = withdrawal
    }

    deinit {
        af_close(socket)
        af_end_prompter(process)
        af_secret_free(buffer.baseAddress, buffer.count)
    }

    func send(_ line: [UInt8]) throws(Failure) {
        guard af_send_all(socket, line, line.count) == 0 else { throw .ended }
    }

    /// Lends the next line, without its end, and erases it.
    func nextLine<Result>(
        withinMilliseconds limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let deadline = af_monotonic_microseconds() + UInt64(limit) * 1000
        while true {
            if let end = buffer[..<filled].firstIndex(of: UInt8(ascii: "\n")) {
                let result = try body(UnsafeRawBufferPointer(rebasing: buffer[..<end]))
                discard(end + 1)
                return result
            }
            guard filled < buffer.count else { throw .tooLong }
            let now = af_monotonic_microseconds()
            let left = now < deadline ? Int((deadline - now + 999) / 1000) : 0
            switch af_await_either(socket, withdrawal.signal, Int32(clamping: left)) {
            case 1: break
            case 2: throw .withdrawn
            case 0: throw .timedOut
            default: throw .ended
            }
            let count = af_receive(socket, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            guard count > 0 else { throw .ended }
            filled += count
        }
    }

    private func discard(_ count: Int) {
        let rest = filled - count
        if rest > 0, let start = buffer.baseAddress { start.copyMemory(from: start + count, byteCount: rest) }
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: buffer[rest..<filled]))
        filled = rest
    }
}

/// Strings as C wants a list of them; freed when it goes.
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
