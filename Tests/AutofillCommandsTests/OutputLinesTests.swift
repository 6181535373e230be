// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import AutofillCommands

@Suite("The output of a child process")
struct OutputLinesTests {
    @Test("The lines that arrive together with the end are reported before the end is")
    func lastLines() throws {
        let output = try OutputLines()
        #expect(write(output.writingEnd, "one\ntwo\n", 8) == 8)
        output.closeWritingEnd()
        #expect(output.waitForMore(or: -1, until: .now + .seconds(60)))
        #expect(output.newLines() == ["one", "two"])
        #expect(output.hasEnded)
        #expect(!output.waitForMore(or: -1, until: .now + .seconds(60)))
    }
}
