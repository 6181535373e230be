// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Testing

@Suite("The answer of autofill-associations")
struct AssociationAnswerTests {
    private let report = AssociationReport.unavailable(
        AssociationQuery(domain: "shop.example.com", mode: .standard), "no socket")

    @Test("It is read when its line is whole, however the bytes arrive", arguments: [1, 2, 7, 1000])
    func parts(step: Int) throws {
        let bytes = report.line + Array("more".utf8)
        var answer = AssociationAnswer()
        var read: AssociationReport?
        for start in stride(from: 0, to: bytes.count, by: step) where read == nil {
            read = try answer.take(bytes[start...].prefix(step))
            #expect((read != nil) == (start + step >= report.line.count))
        }
        #expect(read == report)
    }

    @Test("A line over the limit is refused before it is whole, and one that is no report as what it is")
    func refused() throws {
        var long = AssociationAnswer(limit: 4)
        #expect(try long.take(Array("abcd".utf8)) == nil)
        #expect(throws: ProtocolProblem(.lineTooLong)) { try long.take(Array("e".utf8)) }
        var other = AssociationAnswer()
        #expect(throws: ProtocolProblem(.notAnObject)) { try other.take(Array("[]\n".utf8)) }
    }

    @Test("A failure of a later version is kept by its name")
    func laterFailure() throws {
        let line = #"{"file":"a","status":null,"failure":"eaten-by-a-later-version","detail":null,"apps":[]}"#
        let file = try AssociationFileReport(line: line.utf8)
        #expect(file.failure == "eaten-by-a-later-version" && file.failureText == file.failure)
    }

    @Test("A report of all apps that two files can list fits")
    func largest() throws {
        let apps = (0..<1000).map { "a.\(String(repeating: "b", count: 249))\(1000 + $0)" }
        let files = ["apple-app-site-association", "assetlinks.json"].map {
            AssociationFileReport(file: $0, status: 200, failure: nil, detail: nil, apps: apps)
        }
        let largest = AssociationReport(
            domain: "shop.example.com", mode: .standard, validSeconds: 3600, files: files)
        var answer = AssociationAnswer()
        #expect(try answer.take(largest.line) == largest)
    }
}
