// SPDX-License-Identifier: Apache-2.0
import Foundation
import RulesPlayground
import SiteKnowledge
import Synchronization
import TestGround

/// The real server on a thread of its own, with a clock that only the test moves, and passwords that are drawn from a
/// seed. It ends with its last reference.
final class TestServer: Sendable {
    static let seed: UInt64 = 29

    private final class State: Sendable {
        let time = Mutex(ContinuousClock.now)
        let addresses = Mutex<[String]>([])
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
    }

    private let state = State()
    /// The page's addresses, for the user and for a browser's arguments.
    let address: String
    let launchAddress: String

    init(_ rules: [String: String] = [:]) throws {
        Thread.detachNewThread { [state] in
            defer {
                state.started.signal()
                state.ended.signal()
            }
            let sites = PublicSiteData(rules: rules.mapValues { .init(descriptor: $0, isExact: false) })
            let playground = Playground(sites) { SeededGenerator(seed: TestServer.seed) }
            guard let server = try? PlaygroundServer(playground, now: { state.time.withLock { $0 } }) else { return }
            state.addresses.withLock { $0 = [server.address, server.launchAddress()] }
            state.started.signal()
            server.run()
        }
        state.started.wait()
        let addresses = state.addresses.withLock { $0 }
        guard addresses.count == 2 else { throw SystemFailure(number: EADDRNOTAVAIL) }
        (address, launchAddress) = (addresses[0], addresses[1])
    }

    deinit {
        advance(by: PlaygroundLimits.idleTime)
        state.ended.wait()
    }

    var authority: String { String(address.dropFirst("http://".count).prefix { $0 != "/" }) }
    var port: UInt16 { UInt16(authority.split(separator: ":").last ?? "") ?? 0 }
    var token: String { Self.fragment(address) }
    static func fragment(_ address: String) -> String { String(address.split(separator: "#").last ?? "") }

    /// Moves the clock. The server reads it when it wakes, so it is woken: by a connection that ends at once.
    func advance(by duration: Duration) {
        state.time.withLock { $0 += duration }
        _ = try? TestConnection(to: port)
    }

    /// Whether the server ends. A hang of a minute is a failure.
    var ends: Bool {
        guard state.ended.wait(timeout: .now() + 60) == .success else { return false }
        state.ended.signal()
        return true
    }

    /// The answer to bytes that are sent as they are.
    func exchange(_ bytes: some Collection<UInt8>) throws -> TestConnection.Answer {
        let connection = try TestConnection(to: port)
        connection.send(bytes)
        return try connection.answer()
    }

    func exchange(_ text: String) throws -> TestConnection.Answer { try exchange(Array(text.utf8)) }

    /// A request as the page sends it; each field may be replaced, or left out.
    func request(
        _ path: String, _ body: String = "{}", method: String = "POST", replacing fields: [String: String?] = [:]
    ) -> String {
        let all: [String: String?] = [
            "Host": authority, "Origin": "http://\(authority)", "Authorization": "Bearer \(token)",
            "Content-Length": String(body.utf8.count),
        ]
        let lines = all.merging(fields) { $1 }.sorted { $0.key < $1.key }
            .compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
        return "\(method) \(path) HTTP/1.1\r\n" + lines.joined() + "\r\n" + body
    }

    func post(_ path: String, _ body: [String: Any] = [:]) throws -> TestConnection.Answer {
        let json = try JSONSerialization.data(withJSONObject: body)
        return try exchange(request(path, String(decoding: json, as: UTF8.self)))
    }
}
