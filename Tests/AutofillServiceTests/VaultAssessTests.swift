// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import CredentialStorage
import Foundation
import Support
import TestGround
import Testing

@testable import AutofillService

@Suite("The assessment of saved passwords")
struct VaultAssessTests {
    private static let strong = "vuT2-mm81w-zL4k-Pq9x"

    private func save(_ site: String, _ user: String, _ password: String, _ connection: ServiceConnection) throws {
        try connection.answer(
            to: CredentialSave(user, password, at: ServiceIdentifier(type: "domain", value: site), proof: .test))
    }

    @Test(
        "With proof the problems of each password are reported, of a vault in a file and of one in memory",
        arguments: [true, false])
    func reused(isInFile: Bool) throws {
        let directory = try TemporaryDirectory()
        let daemon = try TestService(location: isInFile ? .directory(directory.path + "/data") : .memory)
        let user = try daemon.user()
        try save("a.example", "ann", Self.strong, user)
        try save("b.example", "bob", Self.strong, user)
        try save("c.example", "eve", Self.strong + "!", user)
        let answer = try user.answer(to: VaultAssess(proof: .test))
        #expect(answer.assessed == 3 && answer.found == 2)
        #expect(answer.counts == [ProblemCount(problem: "reused", count: 2)])
        #expect(answer.passwords.map(\.user).sorted() == ["ann", "bob"])
        #expect(answer.passwords.allSatisfy { $0.problems.map(\.problem) == ["reused"] })
        let listed = try user.answer(to: CredentialList(proof: .test)).credentials.map(\.credential)
        #expect(answer.passwords.allSatisfy { listed.contains($0.credential) })
    }

    @Test("While it runs the status reports how much is done, of a total")
    func progress() throws {
        let directory = try TemporaryDirectory()
        let daemon = try TestService(location: .directory(directory.path + "/data"))
        let user = try daemon.user()
        for site in ["a.example", "b.example", "c.example"] { try save(site, "ann", Self.strong, user) }
        let (sent, emptying) = try daemon.begin(VaultAssess(proof: .test), user)
        let first = try #require(emptying)
        let work = try #require(try daemon.step(first))
        daemon.runAside(work)
        let status = try user.answer(to: Status())
        let reported = try #require(status.daemon?.work)
        #expect(reported.method == "admin.vault.assess" && reported.done == reported.all && reported.all > 0)
        try daemon.finish(work)
        #expect(try sent.answer().assessed == 3)
    }

    @Test("Without proof nothing is reported")
    func refused() throws {
        let daemon = try TestService()
        #expect(try daemon.user().refusal(of: VaultAssess(proof: nil))?.reasons.map(\.reason) == ["proof-required"])
    }

    @Test("A password in the list of breached ones is reported; a list that cannot be read is refused, with its fix")
    func breached() throws {
        let directory = try TemporaryDirectory()
        let daemon = try TestService(location: .directory(directory.path + "/data"))
        let user = try daemon.user()
        try save("a.example", "ann", "password", user)
        // SHA-1 of "password".
        let list = directory.path + "/list"
        try directory.write("list", "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8:42\n")
        let answer = try user.answer(to: VaultAssess(breaches: list, proof: .test))
        #expect(answer.passwords.first?.problems.first?.problem == "breached")
        #expect(answer.passwords.first?.problems.first?.text.contains("42 times") == true)
        let refused = try #require(try user.refusal(of: VaultAssess(breaches: directory.path + "/none", proof: .test)))
        #expect(refused.reasons.map(\.reason) == ["parameter-invalid"])
        #expect(refused.reasons.first?.fix.contains("/none: No such file or directory.") == true)
    }
}
