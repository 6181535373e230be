// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SecretMemory

/// What the wire costs of one `credential.get`: reading the parameters of a scanned line, and writing the answer.
@main
enum WireBenchmark {
    private static let line = """
        {"jsonrpc":"2.0","id":7,"method":"credential.get","params":\
        {"service":{"type":"domain","value":"shop.example.com"},"user":"ann@example.com"}}
        """

    static func main() {
        let answer = CredentialGet.Answer(
            summary: CredentialSummary(
                credential: "crd_0123456789abcdef0123456789abcdef",
                services: [SavedService(ServiceIdentifier(type: "domain", value: "shop.example.com"), match: "site")],
                user: "ann@example.com", version: "3", created: "2026-11-01T10:00:00.000Z",
                modified: "2026-11-02T10:00:00.000Z", lastUsed: "2026-11-03T10:00:00.000Z"),
            password: SecretBytes(utf8: "correct-horse-battery-staple"))
        var scanner = JSONScanner(maximumDepth: Limits.depth)
        var writer = JSONWriter()
        for _ in 0..<3 { _ = measure(20_000, &scanner, &writer, answer) }
        var rounds: [(read: Double, write: Double)] = []
        // The best of many short rounds: the time of other programs on the machine does not count.
        for _ in 0..<400 { rounds.append(measure(1000, &scanner, &writer, answer)) }
        let read = rounds.map(\.read).min() ?? 0
        let write = rounds.map(\.write).min() ?? 0
        print("read \(Int(read)) ns, write \(Int(write)) ns, together \(Int(read + write)) ns")
    }

    /// Nanoseconds a message, without the scanner's.
    private static func measure(
        _ count: Int, _ scanner: inout JSONScanner, _ writer: inout JSONWriter, _ answer: CredentialGet.Answer
    ) -> (read: Double, write: Double) {
        let clock = ContinuousClock()
        var bytes = Array(line.utf8)
        var users = 0
        var reading = Duration.zero
        bytes.withUnsafeMutableBytes { memory in
            try? scanner.scan(UnsafeRawBufferPointer(memory)) { value throws(JSONError) in
                let request = try? Request(value)
                reading = clock.measure {
                    for _ in 0..<count {
                        guard let (call, unknown) = parameters(of: request, as: CredentialGet.self) else { continue }
                        users += (call.name.user?.utf8.count ?? 0) + unknown.count
                    }
                }
            }
        }
        precondition(users == 15 * count)
        let writing = clock.measure {
            for _ in 0..<count {
                writer.reset()
                writer.answer(.number(7), answer)
            }
        }
        return (reading / .nanoseconds(1) / Double(count), writing / .nanoseconds(1) / Double(count))
    }

    /// As the service reads them: of any method.
    @inline(never)
    private static func parameters<Call: MethodCall>(
        of request: Request?, as _: Call.Type
    ) -> (call: Call, unknown: [String])? {
        var members = MemberReader(request?.parameters)
        guard let call = try? Call(from: &members) else { return nil }
        return (call, members.unknown)
    }
}
