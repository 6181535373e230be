// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import TestGround
import Testing

@testable import AutofillServer
@testable import Support

@Suite("The end of the service")
struct StoppingTests {
    private let served: ServedEngine

    init() throws { served = try ServedEngine() }

    @Test("What has arrived is answered, what waits is refused, and a silent client is closed")
    func all() throws {
        let waiting = try served.connect()
        waiting.send([Line.password(2)].lines)
        let busy = try served.connect()
        busy.send([Line.quick(2)].lines)
        let half = try served.connect()
        half.send([Line.password(2)].lines)
        half.endInput()
        served.stopAll()
        busy.send([Line.password(3), Line.quick(4)].lines)
        try served.run()
        #expect(try half.answers() == ["2 stopping"] && half.isEnded)
        #expect(try waiting.answers() == ["2 stopping"] && !waiting.isEnded)
        #expect(try Set(busy.answers()) == ["2", "3 stopping", "4"] && !busy.isEnded)
        try served.checkSilence()
        #expect(try waiting.answers() == [] && waiting.isEnded && served.table.count == 1)
        busy.send([Line.quick(5)].lines)
        try served.checkSilence()
        #expect(try busy.answers() == ["5"] && !busy.isEnded)
        try served.checkSilence()
        try served.checkSilence()
        #expect(try busy.answers() == [] && busy.isEnded && served.table.count == 0)
        #expect(served.service.questions.isEmpty)
    }

    @Test("A vault that is locked already is answered as locked, though its log is not written back yet")
    func done() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let served = try ServedEngine(location: .directory(directory.path + "/data"))
        let (client, half) = (try served.connect(), try served.connect())
        // One after the other: what comes at once is committed at once.
        let numbers = 10..<110
        for number in numbers {
            client.send([Line.item(number, "account \(number)", bytes: 8192)].lines)
            try served.run()
        }
        #expect(try client.answers() == numbers.map { "\($0)" })
        try #require(served.service.vault?.hasLongLog == true)
        let work = served.service.parts.work
        work.holdsNew = true
        half.send([Line.lock(2)].lines)
        half.endInput()
        try served.run()
        #expect(try half.answers() == [] && !half.isEnded)
        served.stopAll()
        try served.run()
        #expect(try half.answers() == ["2"] && half.isEnded)
        work.holdsNew = false
        work.releaseAll()
        try served.run()
    }

    @Test("It waits for peers that do not read for so long, for those that do longer, and for none for ever")
    func patience() throws {
        for (takes, limit) in [(false, Limits.stoppingMilliseconds), (true, Limits.stoppingAnswersMilliseconds)] {
            let served = try ServedEngine()
            var departures = 0
            let stopping = Stopping(on: served.loop) {
                if takes { departures += 1 }
                return Stopping.Status(isDone: false, departures: departures)
            }
            let isOver = try stopping.isOver(in: served, milliseconds: limit - 30)
            #expect(!isOver)
            #expect(try stopping.isOver(in: served, milliseconds: 60))
        }
    }
}

extension Stopping {
    /// Whether it is, after so much time.
    fileprivate func isOver(in served: ServedEngine, milliseconds: Int) throws -> Bool {
        for _ in 0..<(milliseconds / 10) { try served.run(after: .milliseconds(10)) }
        return hasEnded
    }
}
