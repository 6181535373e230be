// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation
import Support
import TestGround
import Testing

@Suite("The examples of protocol.md")
struct TranscriptTests {
    @Test(
        "Every example is what the service answers a program, and a script",
        arguments: try Replay.transcripts(), Replay.Client.allCases)
    func inProcess(_ transcript: Transcript, _ client: Replay.Client) throws {
        try Replay.inProcess(transcript, as: client)
    }

    @Test(
        "Every example is what the real daemon answers", .serialized, .blocking, .timeLimit(.minutes(10)),
        arguments: try Replay.transcripts())
    func onTheSocket(_ transcript: Transcript) throws { try Replay.onTheSocket(transcript) }

    @Test("Every method has an example in its own section, and every setting of an example is defined")
    func coverage() throws {
        let document = try ProtocolDocument.load()
        for method in Method.allCases {
            let section = document.section("### \(method.rawValue)").joined(separator: "\n")
            let sent = Transcript.all(in: section).flatMap(\.steps).contains { step in
                guard case .send(let line) = step else { return false }
                return line.contains("\"method\": \"\(method.rawValue)\"")
            }
            #expect(sent, "\(method.rawValue)")
        }
        for transcript in try Replay.transcripts() {
            #expect(Set(transcript.settings.keys).isSubset(of: ["app", "vault", "consent"]), "\(transcript)")
            #expect(transcript.steps.count > 1, "\(transcript)")
        }
    }

    @Test("An example that differs from the answer is detected")
    func canFail() throws {
        var placeholders = Placeholders()
        #expect(try placeholders.difference(of: #"{"id":1,"a":2}"#, from: #"{"id": 1}"#) != nil)
        #expect(try placeholders.difference(of: #"{"id":1}"#, from: #"{"id": "<x>"}"#) == nil)
        #expect(try placeholders.difference(of: #"{"id":2}"#, from: #"{"id": "<x>"}"#) != nil)
        #expect(try placeholders.difference(of: #"{"list":[1,2]}"#, from: #"{"list": [1]}"#) != nil)
    }
}
