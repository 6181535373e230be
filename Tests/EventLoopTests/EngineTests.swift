// SPDX-License-Identifier: Apache-2.0
import EventLoop
import Glibc
import Testing

/// The pattern that EventLoop.swift documents.
actor Engine {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    let owner: Owner
    private var connection: Connection?

    init(loop: EventLoop) {
        self.loop = loop
        owner = Owner(loop: loop)
    }

    func open(_ descriptor: Int32) throws {
        connection = try Connection(descriptor, of: self)
    }

    func log() -> [String] { owner.log }
}

final class Owner {
    var log: [String] = []
    let waits: WaitList<String>
    init(loop: EventLoop) { waits = WaitList(on: loop) }

    func answer(_ text: String) async -> String {
        log.append("asked \(text)")
        if text == "quick" { return "at once" }
        return (try? await waits.value()) ?? "nothing"
    }
}

final class Connection {
    private let descriptor: Int32
    private var source: IOSource?

    init(_ descriptor: Int32, of engine: isolated Engine) throws {
        self.descriptor = descriptor
        source = try IOSource(on: engine.loop, descriptor: descriptor, events: .readable) { [unowned self] _ in
            read(engine)
        }
    }

    private func read(_ engine: isolated Engine) {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return source = nil }
        let text = String(decoding: buffer[..<count], as: UTF8.self)
        Task.immediate {
            let answer = await engine.owner.answer(text)
            self.send(answer, engine)
        }
    }

    private func send(_ text: String, _ engine: isolated Engine) {
        engine.owner.log.append("answered \(text)")
        _ = Array(text.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
    }
}
