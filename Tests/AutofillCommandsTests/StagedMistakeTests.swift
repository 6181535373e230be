// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestGround
import Testing

@testable import AutofillCommands

@Suite(
    "Mistakes at the command line, fixed as the messages instruct", .serialized,
    .enabled(if: TestService.isThere, TestService.absence))
struct StagedMistakeTests {
    @Test("Each is fixed by following the message literally", arguments: StagedMistake.all)
    func fixed(_ mistake: StagedMistake) async throws {
        let stage = try await MistakeStage(mistake)
        var command = mistake.command
        var run = try await stage.run(command, atTerminal: mistake.hasTerminal)
        #expect(run.status != 0, "\(run)")
        var transcript = "$ \(command)\n\(run.screen)\(run.errors)"
        var isFixed = false
        for _ in 0..<4 where !isFixed {
            let words = MessageFix(of: run.screen + run.errors)
            #expect(!words.isEmpty, "\(transcript)")
            command = try words.correct(command, in: stage.folder)
            for fix in words.commands {
                run = try await stage.run(fix, atTerminal: true)
                transcript += "$ \(fix)\n\(run.screen)\(run.errors)"
            }
            // What was meant is the corrected command itself.
            if words.meant != nil, run.status == 0 { return }
            if words.meant != nil { continue }
            run = try await stage.run(command, atTerminal: mistake.hasTerminal)
            transcript += "$ \(command)\n\(run.screen)\(run.errors)"
            isFixed = run.status == mistake.fixedStatus
        }
        #expect(isFixed, "\(transcript)")
    }

    @Test("There are at least 25 of them")
    func count() { #expect(StagedMistake.all.count >= 25) }
}
