// SPDX-License-Identifier: Apache-2.0
internal import CAutofillLinux
internal import EventLoop
internal import Glibc
internal import SecretMemory

/// A running prompter and our end of its conversation. It is killed when this is released.
final class PrompterProcess {
    enum Failure: Error {
        case start(errno: Int32)
        /// Its files did not answer in time.
        case notStarted
        case ended, tooLong, timedOut, withdrawn
    }

    private let launcher: ProgramLauncher
    private let process: Int32
    private let socket: Int32
    private var readiness: Readiness?
    /// Input that was not yet parsed: it may contain a passphrase.
    private let buffer = UnsafeMutableRawBufferPointer(
        start: af_secret_alloc(PrompterProcess.bufferBytes), count: PrompterProcess.bufferBytes)
    private var filled = 0
    private static let bufferBytes = 4096
    /// Whether lines that are too long are ignored; else they end the conversation.
    var skipsLongLines = false
    /// Whether the next line is the rest of an ignored one.
    private var isSkipping = false

    var loop: EventLoop { launcher.loop }

    /// - Parameters:
    ///   - process: a child that no other waiter reaps.
    ///   - socket: our end; closed when this is released.
    init(_ process: Int32, socket: Int32, of launcher: ProgramLauncher) throws(Failure) {
        self.launcher = launcher
        self.process = process
        self.socket = socket
        do throws(LoopError) {
            readiness = try Readiness(on: launcher.loop, descriptor: socket)
        } catch {
            throw .start(errno: error.errno)
        }
    }

    deinit {
        readiness = nil
        af_close(socket)
        launcher.end(process)
        af_secret_free(buffer.baseAddress, buffer.count)
    }

    func send(_ line: [UInt8], until deadline: Instant) async throws(Failure) {
        var sent = 0
        while sent < line.count {
            let count = line.withUnsafeBytes {
                af_send_now(socket, $0.baseAddress?.advanced(by: sent), $0.count - sent)
            }
            if count == -Int(EAGAIN) {
                try await wait(for: .writable, until: deadline)
            } else {
                guard count > 0 else { throw .ended }
                sent += count
            }
        }
    }

    /// Calls `body` with the next line, without its end, and erases it.
    func nextLine<Result>(
        until deadline: Instant, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        while true {
            if let end = buffer[..<filled].firstIndex(of: UInt8(ascii: "\n")) {
                defer { discard(end + 1) }
                guard isSkipping else { return try body(UnsafeRawBufferPointer(rebasing: buffer[..<end])) }
                isSkipping = false
                continue
            }
            if filled == buffer.count {
                guard skipsLongLines else { throw .tooLong }
                isSkipping = true
                discard(filled)
            }
            try await wait(for: .readable, until: deadline)
            let count = af_receive_now(socket, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
            if count == -Int(EAGAIN) { continue }
            guard count > 0 else { throw .ended }
            filled += count
        }
    }

    private func wait(for events: IOEvents, until deadline: Instant) async throws(Failure) {
        do throws(WaitFailure) {
            try await readiness?.wait(for: events, until: deadline)
        } catch {
            throw error == .cancelled ? .withdrawn : .timedOut
        }
    }

    private func discard(_ count: Int) {
        let rest = filled - count
        if rest > 0, let start = buffer.baseAddress { start.copyMemory(from: start + count, byteCount: rest) }
        SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: buffer[rest..<filled]))
        filled = rest
    }
}
