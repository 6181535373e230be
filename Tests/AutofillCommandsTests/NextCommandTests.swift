// SPDX-License-Identifier: Apache-2.0
import TestGround
import Testing

@testable import AutofillCommands

@Suite("What to do next", .serialized, .enabled(if: TestService.isThere, TestService.absence))
struct NextCommandTests {
    /// The output on a terminal of 80 columns, and the same as JSON.
    private func next(_ socket: String, _ arguments: [String] = []) async throws -> CommandRun {
        let run = try await CommandRun.atTerminal(
            arguments, dialogue: [], printsThere: true,
            environment: ["AUTOFILLD_SOCKET": socket, "NO_COLOR": "1"])
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.screen)\(run.errors)")
        let lines = run.screen.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        #expect(lines.count <= 11 && lines.allSatisfy { $0.count <= 80 }, "\(run.screen)")
        return run
    }

    @Test("Without arguments, at a terminal, each state is printed with its next command, in at most ten lines")
    func states() async throws {
        let service = try await TestService()
        #expect(try await next(service.directory.path + "/none").screen.contains("enable --now autofilld.socket"))
        #expect(try await next(service.socket).screen.contains("  autofillctl vault create "))
        _ = try await service.run("vault", "create", "--key-file", service.key, "--no-passphrase")
        #expect(try await next(service.socket).screen.contains("  autofillctl app register FILE "))
        _ = try await service.run("vault", "lock")
        #expect(try await next(service.socket).screen.contains("  autofillctl vault unlock "))
        _ = try await service.run("vault", "unlock", "--key-file", service.key)
        try service.register("org.example.Shop", domains: ["shop.example.com"])
        _ = try await service.proven("generate", "shop.example.com", "jo")
        let well = try await next(service.socket).screen
        #expect(well.hasPrefix("No problems") && well.contains("1 credential, 1 app)"), "\(well)")
        try service.directory.write("apps/org.example.Bad.json", "{")
        let wrong = try await next(service.socket).screen
        #expect(!wrong.contains("No problems") && wrong.contains("  autofillctl status "), "\(wrong)")
        let json = try await service.run("next", "--json")
        #expect(json.output.hasPrefix(#"{"state":"well","message":"#) && json.output.contains(#""next":[{"command":"#))
    }

    @Test("Not at a terminal it is the help")
    func help() async throws {
        let bare = try await CommandRun.of([])
        let help = try await CommandRun.of(["--help"])
        #expect(bare.status == 0 && bare.output == help.output)
        #expect(bare.output.contains("USAGE: autofillctl"))
    }
}
