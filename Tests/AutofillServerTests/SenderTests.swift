// SPDX-License-Identifier: Apache-2.0
import AutofillService
import EventLoop
import Foundation
import PeerIdentity
import Prompting
import Support
import TestGround
import Testing

@testable import AutofillServer

/// The sender of data that arrives, where the one that connected has become another program, or others have its
/// descriptor.
@Suite("Senders", .timeLimit(.minutes(10)))
struct SenderTests {
    /// A program that connects to nothing, for which the user has allowed the saved password for good.
    private static let allowed = "/usr/bin/sleep"

    /// The fixture as built, beside the test program.
    private static var fixture: String {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: program).deletingLastPathComponent().appending(path: "peer-fixture").path
    }

    /// Has the fixture become the allowed program while its child keeps the connection.
    private final class Race {
        private let process = Process()
        private let output = Pipe()
        private var printed = ""

        init(_ served: ServedSocket, sender: String, _ lines: [String]) throws {
            process.executableURL = URL(fileURLWithPath: SenderTests.fixture)
            process.arguments = ["race", served.path, sender, SenderTests.allowed, lines.lines]
            process.standardOutput = output
            try process.run()
            let descriptor = output.fileHandleForReading.fileDescriptor
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }

        deinit { process.terminate() }

        /// The data that the child received; nil while it waits.
        func received() -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(output.fileHandleForReading.fileDescriptor, &bytes, bytes.count)
                guard count > 0 else { break }
                printed += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return printed.hasSuffix("end\n") ? printed : nil
        }
    }

    /// Makes the user allow the program permanently, as if the program itself had requested it.
    private func allowing() throws -> ServedSocket {
        let service = try TestService.withPassword()
        var evidence = PeerEvidence.systemProgram
        evidence.executable = .file(
            ExecutableFile(
                path: Self.allowed, identity: ExecutableIdentity(device: 1, inode: 1, size: 1, modified: 1), owner: 0,
                location: .rootOwned))
        let app = service.connect(evidence)
        try app.hello()
        _ = try app.send("credential.get", ["service": Examples.shop])
        try service.answer(try #require(service.questions.first), .allow)
        #expect(try app.answers().map { $0.text("password") } == ["s3cret"])
        try app.disconnect()
        return try ServedSocket(service)
    }

    /// attacks.md, a hostile program, 3
    @Test("Of 150 that connect, ask and become an allowed program at once none is given what that may have")
    func connectors() throws {
        let served = try allowing()
        for _ in 0..<15 {
            let races = try (0..<10).map { _ in
                try Race(served, sender: "connector", [Line.hello(), Line.password(2)])
            }
            var received: [String] = []
            #expect(
                try served.run {
                    received = races.compactMap { $0.received() }
                    return received.count == races.count
                })
            for text in received {
                #expect(!text.contains("s3cret"), "\(text)")
            }
            for question in served.service.questions { try served.service.answer(question, .deny) }
        }
    }

    /// attacks.md, a hostile program, 3
    @Test("A child that keeps the descriptor of a process that continues as an allowed program is refused")
    func children() throws {
        let served = try allowing()
        let races = try (0..<10).map { _ in
            try Race(served, sender: "child", [Line.hello(), Line.password(2)])
        }
        var received: [String] = []
        #expect(
            try served.run {
                received = races.compactMap { $0.received() }
                return received.count == races.count
            })
        for text in received {
            #expect(text.contains("peer-changed") && !text.contains("s3cret"), "\(text)")
        }
        #expect(served.service.questions.isEmpty)
    }

    /// attacks.md, a hostile program, 3
    @Test(
        "A request that was sent before the program was inspected gets no secret, and the same after the answer to hello gets it"
    )
    func early() throws {
        let served = try ServedSocket()
        let client = try served.connect([Line.hello(), Line.item(2, "own"), Line.read(3, "own")])
        let answers = try client.lines().map { try TestAnswer($0) }
        #expect(answers.count { $0.error == nil } == 2 && answers.count == 3)
        let early = try #require(answers.first { $0.id as? Int == 3 })
        #expect(early.reasons == ["peer-changed"])
        let data = early.error?["data"] as? [String: Any]
        let reason = try #require((data?["reasons"] as? [[String: Any]])?.first)
        #expect(reason["retry"] as? String == "now")
        #expect(early.fixes.first?.hasPrefix("Wait for the answer to hello and send the request again") == true)
        client.send([Line.read(4, "own")].lines)
        try served.run()
        #expect(try client.answers() == ["4"])
    }
}
