// SPDX-License-Identifier: Apache-2.0
internal import AutofillClient
internal import AutofillProtocol
internal import BrowserMessages
internal import Glibc
internal import SecretMemory

/// The connection to the daemon: one for each host, so one for each browser that has the extension; made when it is first needed,
/// and anew when the daemon has ended.
final class DaemonLink {
    /// How long connecting may take, and then the answer to `hello`.
    private static let patience = Duration.seconds(5)
    /// More than the longest answer that a browser takes.
    private static let longestLine = 8 << 20
    static let helloID: Int64 = 0

    private let caller: Caller
    private(set) var descriptor: Int32 = -1
    private var bytes: [UInt8] = []
    private var framing = LineFraming(maximumLength: longestLine)
    private var scanner = JSONScanner(maximumDepth: 32)

    init(caller: Caller) { self.caller = caller }

    var isUp: Bool { descriptor >= 0 }

    /// Connects, and says hello for the browser; where the administrator does not let this program speak for others, or nobody
    /// can tell which browser it is, for itself. Waits for the answer.
    ///
    /// - Returns: the answer's result.
    func connect() throws(HostRefusal) -> [UInt8] {
        if caller.pidfd >= 0, let browser = caller.browser {
            let behalf = Hello.OnBehalfOf(bundleID: browser.bundleID, evidence: caller.evidence)
            let greeting = try connect(Hello(bundleID: Caller.ownBundleID, onBehalfOf: behalf), passing: caller.pidfd)
            if let greeting { return greeting }
        }
        if let greeting = try connect(Hello(bundleID: Caller.ownBundleID), passing: -1) { return greeting }
        throw Self.refusal(.notResponding)
    }

    /// nil where the daemon refused to greet.
    private func connect(_ hello: Hello, passing pidfd: Int32) throws(HostRefusal) -> [UInt8]? {
        do throws(AutofillError) {
            descriptor = try ServiceSocket.ofThisProcess().connect(within: Self.patience)
        } catch {
            guard case .unavailable(let why) = error else { throw Self.refusal(.notResponding) }
            throw Self.refusal(why)
        }
        var writer = JSONWriter()
        writer.request(.number(Self.helloID), hello)
        let line = writer.withUnsafeBytes { Array($0) }
        guard PassedProcess.send(line, with: pidfd, on: descriptor) else {
            close()
            throw Self.refusal(.notResponding)
        }
        let deadline = ContinuousClock.now + Self.patience
        var (greeting, isAnswered): ([UInt8]?, Bool) = (nil, false)
        while !isAnswered {
            let left = (deadline - .now).components
            let milliseconds = Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let isOpen = milliseconds > 0 && poll(&waiting, 1, milliseconds) > 0
            guard
                isOpen,
                receive({ line in
                    isAnswered = true
                    let result = (try? line.member("result")) ?? nil
                    greeting = result.map { Array($0.rawSlice) }
                })
            else {
                close()
                throw Self.refusal(.notResponding)
            }
        }
        if greeting == nil { close() }
        return greeting
    }

    /// Whether the line went.
    func send(_ line: [UInt8]) -> Bool { PassedProcess.send(line, with: -1, on: descriptor) }

    /// Takes what has arrived, and gives `deliver` each line; false where the connection has ended, and is closed.
    func receive(_ deliver: (JSONValue) -> Void) -> Bool {
        let old = bytes.count
        bytes += repeatElement(0, count: 64 * 1024)
        let count = bytes.withUnsafeMutableBytes { all in
            recv(descriptor, all.baseAddress?.advanced(by: old), all.count - old, Int32(MSG_DONTWAIT))
        }
        let isEmpty = count < 0 && (errno == EAGAIN || errno == EINTR)
        bytes.removeLast(bytes.count - old - max(count, 0))
        var start = 0
        // What came before the end counts.
        while let length = lineLength(from: start) {
            bytes.withUnsafeBytes { all in
                let line = UnsafeRawBufferPointer(rebasing: all[start..<start + length])
                _ = try? scanner.scan(line) { deliver($0) }
            }
            start += length + 1
        }
        // What was read may have been a password.
        bytes.withUnsafeMutableBytes { SecretBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: $0[..<start])) }
        bytes.removeFirst(start)
        if count > 0 || isEmpty { return true }
        close()
        return false
    }

    private func lineLength(from start: Int) -> Int? {
        let step = bytes.withUnsafeBytes { framing.next(in: UnsafeRawBufferPointer(rebasing: $0[start...])) }
        return if case .line(let length) = step { length } else { nil }
    }

    private func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        bytes = []
        framing = LineFraming(maximumLength: Self.longestLine)
    }

    private static func refusal(_ why: AutofillUnavailable) -> HostRefusal {
        .unavailable(why.rawValue, why.message, fix: why.fix)
    }
}
