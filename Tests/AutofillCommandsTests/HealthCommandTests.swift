// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import AutofillCommands

@Suite("autofillctl health", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct HealthCommandTests {
    @Test("It lists what should be changed and where, states what was not checked, and exits with 1")
    func listed() async throws {
        let service = try await TestService.withVault()
        for site in ["a.example", "b.example"] {
            let saved = try await service.proven(
                "save", site, "ann", "--password-fd", "3", inputs: [3: "vuT2-mm81w-zL4k-Pq9x"])
            #expect(saved.status == 0, "\(saved.errors)")
        }
        let run = try await service.proven("health")
        #expect(run.status == 1)
        #expect(run.output.contains("a.example (ann)\n  reused: The password is used at 2 sites\n"))
        #expect(run.output.contains("  Change it: https://b.example/.well-known/change-password\n"))
        #expect(run.output.contains("2 of 2 passwords: 2 reused.\n"))
        #expect(run.output.contains("Not checked: breached (see --breaches)"))
        #expect(!run.output.contains("vuT2"))
        let json = try await service.proven("health", "--json")
        #expect(json.output.hasPrefix(#"{"assessed":2,"found":2,"counts":[{"problem":"reused","count":2}],"#))
    }

    @Test("Where nothing is wrong it states so, and exits with 0; a list that is none is refused with the fix")
    func nothing() async throws {
        let service = try await TestService.withVault()
        let run = try await service.proven("health")
        #expect(run.status == 0 && run.output.contains("Nothing is wrong with 0 passwords."))
        let list = service.directory.path + "/list"
        try service.directory.write("list", "no hashes\n")
        let refused = try await service.proven("health", "--breaches", list)
        #expect(refused.status == 64 && refused.errors.contains("There is no SHA-1 hash at byte 0"))
        #expect(refused.errors.contains("haveibeenpwned-downloader"))
    }
}
