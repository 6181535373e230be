// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite(
    "Programs of others on autofill-secrets", .blocking, .timeLimit(.minutes(10)),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.needs)"))
struct SecretProgramsTests {
    @Test(
        "secret-tool stores, finds, shows, locks and clears",
        .enabled("libsecret-tools is not installed") {
            ForeignProgram.isInstalled("secret-tool")
        })
    func secretTool() throws {
        let script = """
            set -e
            object='org.freedesktop.secrets /org/freedesktop/secrets/collection/login'
            printf 'first' | secret-tool store --label='A mailbox' server mail.example user ann
            printf 'second' | secret-tool store --label='A mailbox' server mail.example user bob
            echo "ann: $(secret-tool lookup server mail.example user ann)"
            printf 'third' | secret-tool store --label='The same mailbox' server mail.example user ann
            secret-tool search --all --unlock server mail.example 2>&1 | grep -E '^(label|secret)' | sort
            # That of libsecret 0.20.5 frees its list twice at its end, with gnome-keyring too.
            (secret-tool lock || true) 2>/dev/null
            busctl --user get-property $object org.freedesktop.Secret.Collection Locked
            echo "after lock: $(secret-tool search --all --unlock server mail.example user ann 2>/dev/null | grep '^secret')"
            secret-tool clear server mail.example user ann
            secret-tool lookup server mail.example user ann || echo "cleared"
            echo "bob: $(secret-tool lookup server mail.example user bob)"
            """
        let run = try SecretStage.run(["bash", "-c", script])
        #expect(
            run.output == """
                ann: first
                label = A mailbox
                label = The same mailbox
                secret = second
                secret = third
                b true
                after lock: secret = third
                cleared
                bob: second

                """, "\(run.output)")
    }

    @Test(
        "Python's keyring keeps passwords through both of its backends",
        .enabled("python3-keyring, python3-pytest or gir1.2-secret-1 is not installed") {
            let script = "import keyring, pytest, gi; gi.require_version('Secret', '1')"
            return try ForeignProgram("/usr/bin/python3", ["-c", script]).status == 0
        })
    func keyring() throws {
        let run = try SecretStage.run(
            [
                "/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib",
                SecretStage.folder + "keyring_backends.py",
            ])
        let passed = run.output.firstMatch(of: #/(\d+) passed/#).flatMap { Int($0.1) } ?? 0
        print("keyring's backends, Debian's: \(passed) passed")
        #expect(run.status == 0 && passed == 24, "\(run.output)")
    }
}

/// What is fetched and compiled first. AUTOFILL_SUITES names a folder where it is kept for another run.
@Suite(
    "Suites of others against autofill-secrets", .serialized, .blocking, .timeLimit(.minutes(15)),
    .enabled(if: SecretStage.isFull, "AUTOFILL_FULL=1 fetches and compiles them, for some minutes"),
    .enabled(if: SecretStage.isAvailable, "\(SecretStage.needs)"))
struct SuitesTests {
    @Test("SecretStorage's: all pass, but for the two that their authors skip")
    func secretStorage() throws {
        guard let run = try SecretStage.outside("secretstorage") else { return }
        let ran = run.output.firstMatch(of: #/Ran (\d+) tests/#).flatMap { Int($0.1) } ?? 0
        let skipped = run.output.firstMatch(of: #/OK \(skipped=(\d+)\)/#).flatMap { Int($0.1) } ?? 0
        print("SecretStorage 3.5.0: \(ran - skipped) passed, \(skipped) skipped by its authors")
        #expect(run.status == 0 && ran == 27 && skipped == 2, "\(run.output)")
    }

    @Test("keyring's of both backends: all pass")
    func keyring() throws {
        guard let run = try SecretStage.outside("keyring") else { return }
        let passed = run.output.firstMatch(of: #/(\d+) passed/#).flatMap { Int($0.1) } ?? 0
        print("keyring 25.7.0: \(passed) passed")
        #expect(run.status == 0 && passed == 32, "\(run.output)")
    }

    @Test("libsecret's D-Bus tests: all pass that speak to a service, and not to its mock alone")
    func libsecret() throws {
        guard let run = try SecretStage.outside("libsecret") else { return }
        let lines = run.output.split(separator: "\n").map(String.init)
        let failed = lines.filter { $0.hasPrefix("not ok ") }.map { String($0.dropFirst(7)) }
        let passed = lines.filter { $0.hasPrefix("ok ") }.count
        print("libsecret 0.20.5: \(passed) passed of \(passed + failed.count)")
        // Only the mock can do these: prompts with names that obey commands, and a service without Diffie-Hellman.
        let ofTheMock = ["prompt /prompt/", "session /session/ensure-"]
        let others = failed.filter { name in !ofTheMock.contains { name.hasPrefix($0) } }
        #expect(others == [] && passed == 122, "\(run.output)")
    }

    @Test("git-credential-libsecret: git's own tests of helpers pass")
    func git() throws {
        guard let run = try SecretStage.outside("git") else { return }
        let passed = run.output.split(separator: "\n").filter { $0.hasPrefix("ok ") }.count
        print("git-credential-libsecret: \(passed) of t0303 passed")
        #expect(run.status == 0 && passed == 12, "\(run.output)")
    }
}
