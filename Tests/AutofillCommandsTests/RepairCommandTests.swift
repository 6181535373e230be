// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import Glibc
import TestGround
import Testing

@Suite(
    "autofillctl vault check on a damaged vault", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct RepairCommandTests {
    private static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        access(path, X_OK) == 0
    }

    /// Removes the row of one record, and flips a bit in the sealed bytes of another.
    private static let damaging = """
        import sqlite3, sys
        path, removed, altered = sys.argv[1:]
        # A credential's id in the file: its kind, 1, and the random bits.
        key = lambda text: b"\\x01" + bytes.fromhex(text.removeprefix("crd_"))
        vault = sqlite3.connect(path)
        deleted = vault.execute("DELETE FROM record WHERE id = ?", [key(removed)]).rowcount
        sealed = bytearray(vault.execute("SELECT sealed FROM record WHERE id = ?", [key(altered)]).fetchone()[0])
        sealed[len(sealed) // 2] ^= 0x10
        changed = vault.execute("UPDATE record SET sealed = ? WHERE id = ?", [bytes(sealed), key(altered)]).rowcount
        vault.commit()
        vault.close()
        sys.exit(0 if (deleted, changed) == (1, 1) else 1)
        """

    private func damage(_ service: TestService, removing removed: String, altering altered: String) throws {
        let path = service.directory.path + "/data/vault.sqlite"
        let child = try ChildProcess.start(
            try #require(Self.python), ["-c", Self.damaging, path, removed, altered], environment: [:], files: [])
        try #require(ChildProcess.wait(for: child) == 0)
    }

    /// Saves it; its id.
    private func save(_ domain: String, _ password: String, in service: TestService) async throws -> String {
        let saved = try await service.proven(
            "save", domain, "jo", "--password-fd", "3", "--json", inputs: [3: password])
        return try #require(saved.output.firstMatch(of: /"credential":"(crd_[0-9a-f]{32})"/)?.1.description)
    }

    /// The number of that name in an answer.
    private func number(_ name: String, in json: String) throws -> Int {
        let text = try #require(json.firstMatch(of: try Regex("\"\(name)\":([0-9]+)"))?[1].substring)
        return try #require(Int(text))
    }

    @Test(
        "A removed and an altered record are named, put into quarantine by a repair, and all else is as it was",
        .enabled(if: python != nil, "there is no python3"))
    func repair() async throws {
        let service = try await TestService.withVault()
        let removed = try await save("a.example", "one", in: service)
        let altered = try await save("b.example", "two", in: service)
        let kept = try await save("c.example", "three", in: service)
        let item = ["org.example.Shop", "tokens", "jo"]
        let set = try await service.proven(
            "keychain", "set", item[0], item[1], item[2], "--data-fd", "3", inputs: [3: "x"])
        try #require(set.status == 0)
        let before = try await service.proven("vault", "check", "--json")
        try #require(before.status == 0)
        let records = try number("records", in: before.output)

        let again = try await service.restarted { try damage(service, removing: removed, altering: altered) }
        #expect(try await again.run("vault", "unlock", "--key-file", again.key).status == 0)
        let checked = try await again.proven("vault", "check")
        #expect(checked.status == 1)
        let findings = checked.output.split(separator: "\n")
        #expect(findings.count { $0.hasPrefix("missing: ") && $0.hasSuffix("(\(removed))") } == 1)
        #expect(findings.count { $0.hasPrefix("altered: ") && $0.hasSuffix("(\(altered))") } == 1)
        #expect(!checked.output.contains(kept) && checked.output.contains("The vault is corrupt."))

        let repaired = try await again.proven("vault", "check", "--repair")
        #expect(repaired.status == 0, "\(repaired.output)\(repaired.errors)")
        #expect(repaired.output.contains("(\(removed))") && repaired.output.contains("(\(altered))"))
        #expect(repaired.output.contains("2 rows were put into quarantine."))

        let third = try await again.restarted {}
        #expect(try await third.run("vault", "unlock", "--key-file", third.key).status == 0)
        let clean = try await third.proven("vault", "check", "--json")
        #expect(clean.status == 0 && clean.output.contains(#""findings":[]"#), "\(clean.output)")
        #expect(try number("records", in: clean.output) == records - 2)
        #expect(try number("releases", in: clean.output) == number("releases", in: before.output))
        let listed = try await third.proven("list").output
        #expect(listed.contains(kept) && !listed.contains(removed) && !listed.contains(altered))
        #expect(try await third.proven("get", "c.example", "--reveal").output == "three\n")
        #expect(try await third.proven("keychain", "get", item[0], item[1], item[2]).output == "x")
        // The credential that was lost can be saved again.
        #expect(try await save("b.example", "two again", in: third) != altered)
        #expect(try await third.proven("get", "b.example", "--reveal").output == "two again\n")
    }
}
