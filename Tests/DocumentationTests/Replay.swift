// SPDX-License-Identifier: Apache-2.0
import Foundation
import PeerIdentity
import Prompting
import Support
import Testing

/// Plays the examples of protocol.md, and compares what is answered.
enum Replay {
    enum Client: CaseIterable {
        case program
        case script

        static let shop = Script(path: "/usr/share/shop/app.py", hash: "aa")
    }

    /// All examples.
    static func transcripts() throws -> [Transcript] { Transcript.all(in: try ProtocolDocument.load().text) }

    /// Against a daemon, without a socket.
    ///
    /// - Parameter client: a program of its own, or an interpreter that runs the app's script.
    static func inProcess(_ transcript: Transcript, as client: Client = .program) throws {
        let daemon = try TestService(
            isCreated: transcript.settings["vault"] != "missing", consent: try consent(of: transcript))
        let connection = client == .script ? daemon.connect(.interpreter, script: Client.shop) : daemon.connect()
        var answers: [String] = []
        try play(transcript, send: { answers += try connection.exchange($0) }) {
            answers.isEmpty ? nil : answers.removeFirst()
        }
        #expect(answers.isEmpty, "\(transcript): answers that the example does not have")
    }

    /// Against the real daemon.
    static func onTheSocket(_ transcript: Transcript) throws {
        let consent = transcript.settings["consent"].map { ["--consent", $0] } ?? []
        let daemon = try DaemonProcess(isEphemeral: transcript.settings["vault"] != "missing", arguments: consent)
        let connection = try SocketConnection(to: daemon.socket, timeoutSeconds: 100)
        try play(transcript, send: { try connection.send($0) }) { try connection.line() }
        connection.endInput()
        #expect(throws: SocketConnection.Failure.self, "\(transcript): answers that the example does not have") {
            try connection.line()
        }
    }

    private static func play(
        _ transcript: Transcript, send: (String) throws -> Void, receive: () throws -> String?
    ) throws {
        if let app = transcript.settings["app"] {
            try send(
                #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"bundleID":"\#(app)","protocol":{"min":1,"max":1}}}"#
            )
            #expect(try receive()?.contains("\"result\"") == true, "\(transcript): hello")
        }
        var placeholders = Placeholders()
        for step in transcript.steps {
            switch step {
            case .send(let line): try send(placeholders.filledIn(line))
            case .expect(let expected):
                let answer = try #require(try receive(), "\(transcript): no answer, expected \(expected)")
                let difference = try placeholders.difference(of: answer, from: expected)
                #expect(difference == nil, "\(transcript)\nanswered \(answer)\nexpected \(expected)")
            }
        }
    }

    private static func consent(of transcript: Transcript) throws -> Consent {
        guard let answer = transcript.settings["consent"] else { return .absent }
        return .fixed(try #require(ConsentAnswer(rawValue: answer), "\(transcript): consent=\(answer)"))
    }
}
