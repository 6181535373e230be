// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround
import Testing

@Suite("The client in Python", .serialized, .blocking, .timeLimit(.minutes(10)))
struct PythonClientTests {
    /// Returns the numbers of tests run and skipped, from the output of unittest.
    private static func unittest(_ run: ForeignProgram) throws -> (ran: Int, skipped: Int) {
        let counts = try #require(run.output.firstMatch(of: #/Ran (\d+) tests? in/#), "\(run.output)")
        let skipped = run.output.firstMatch(of: #/OK \(skipped=(\d+)\)\n$/#)
        return (try #require(Int(counts.1)), skipped.flatMap { Int($0.1) } ?? 0)
    }

    @Test(
        "Its own tests pass against the daemon", .enabled("python3 is not installed") { VirtualEnvironment.hasPython })
    func ownTests() throws {
        let variables = ["AUTOFILLD": try DaemonProcess.program("autofilld"), "PYTHONDONTWRITEBYTECODE": "1"]
        let run = try ForeignProgram(
            "python3", ["-m", "unittest", "discover", "-s", ".", "-t", "."], variables, in: VirtualEnvironment.source)
        #expect(run.status == 0, "\(run.output)")
        let (ran, skipped) = try Self.unittest(run)
        #expect(ran - skipped >= 40, "\(run.output)")
    }

    @Test("It has the version of the other programs")
    func version() throws {
        func value(_ path: String, _ pattern: Regex<(Substring, Substring)>) throws -> Substring? {
            try String(contentsOfFile: TestFiles.root + path, encoding: .utf8).firstMatch(of: pattern)?.1.description[
                ...]
        }
        let own = try value("Sources/PythonClient/autofill_client/__init__.py", #/__version__ = "(.+)"/#)
        #expect(try own != nil && own == value("Sources/AutofillProtocol/ProductVersion.swift", #/text = "(.+)"/#))
    }

    @Test(
        "The wheel is built and installed without the network, and prints why keyring cannot use it",
        .enabled("python3 makes no virtual environments here: apt-get install python3-venv") {
            VirtualEnvironment.canBeMade
        })
    func wheel() throws {
        let environment = try VirtualEnvironment.shared.get()
        let registration = try environment.run("python", ["-m", "autofill_client", "--registration"]).output
        let file = registration.trimmingCharacters(in: .newlines)
        #expect(file.hasPrefix(environment.path), "\(file)")
        let check = try ForeignProgram(try DaemonProcess.program("autofillctl"), ["app", "check", file])
        #expect(check.status == 0, "\(check.output)")
        let stranger = try DaemonProcess()
        let state = try environment.run("python", ["-m", "autofill_client"], ["AUTOFILLD_SOCKET": stranger.socket])
        #expect(state.status == 1 && state.output.contains("autofillctl app register \(file)\n"), "\(state.output)")
        let apps = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
        let daemon = try DaemonProcess(registrations: apps)
        let known = try environment.run("python", ["-m", "autofill_client"], ["AUTOFILLD_SOCKET": daemon.socket])
        #expect(known.status == 0, "\(known.output)")
        let imported = try environment.run(
            "python", ["-c", "import autofill_client as a; print(a.__file__, a.AsyncClient)"])
        #expect(imported.output.hasPrefix(environment.path), "\(imported.output)")
    }
}

/// Tests with keyring, pytest, pip and twine from PyPI, in the same virtual environment.
@Suite(
    "The client in Python as a keyring", .serialized, .blocking, .timeLimit(.minutes(10)),
    .enabled("keyring cannot be had from PyPI here") { VirtualEnvironment.hasKeyring })
struct PythonKeyringTests {
    private let environment: VirtualEnvironment
    private let apps: TemporaryDirectory

    init() throws {
        environment = try VirtualEnvironment.shared.get()
        apps = try TemporaryDirectory()
        let name = "org.pypi.keyring.json"
        try apps.write(
            name, String(contentsOfFile: VirtualEnvironment.source + "/autofill_client/" + name, encoding: .utf8))
    }

    private func daemon(_ consent: String) throws -> DaemonProcess {
        try DaemonProcess(registrations: apps.path, arguments: ["--consent", consent])
    }

    /// Runs the backend's own tests.
    private func runOwnTests(_ variables: [String: String] = [:]) throws {
        let tests = apps.path + "/tests"
        try FileManager.default.copyItem(atPath: VirtualEnvironment.source + "/tests", toPath: tests)
        let run = try environment.run(
            "python", ["-m", "unittest", "discover", "-s", tests, "-t", apps.path, "-p", "test_keyring.py"],
            variables.merging(["AUTOFILLD": try DaemonProcess.program("autofilld")]) { $1 })
        #expect(run.status == 0 && run.output.hasSuffix("OK\n"), "\(run.output)")
    }

    @Test("The backend's own tests pass, with the answers of the user and the states of the vault")
    func ownTests() throws {
        try runOwnTests()
    }

    @Test("They pass with the oldest keyring that the package allows")
    func oldestKeyring() throws {
        let build = try String(contentsOfFile: VirtualEnvironment.source + "/build_backend.py", encoding: .utf8)
        let version = try #require(build.firstMatch(of: #/keyring>=([0-9.]+);/#)).1
        let oldest = apps.path + "/oldest"
        let install = try environment.run(
            "pip", ["--isolated", "install", "--quiet", "--target", oldest, "keyring==\(version)"])
        #expect(install.status == 0, "\(install.output)")
        let found = try environment.run(
            "python", ["-c", "import keyring; print(keyring.__file__)"], ["PYTHONPATH": oldest])
        #expect(found.output.hasPrefix(oldest), "\(found.output)")
        try runOwnTests(["PYTHONPATH": oldest])
    }

    @Test("keyring's own tests of a backend pass, every one")
    func basics() throws {
        let daemon = try daemon("allow")
        let basics = TestFiles.root + "Tests/PythonClientTests/backend_basics.py"
        let run = try environment.run(
            "python", ["-m", "pytest", "-q", "-p", "no:cacheprovider", basics], ["AUTOFILLD_SOCKET": daemon.socket])
        let counts = try #require(run.output.firstMatch(of: #/\n(\d+) passed in [0-9.]+s/#), "\(run.output)")
        print("keyring's BackendBasicTests: \(counts.1) passed")
        #expect(try #require(Int(counts.1)) >= 15)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test("keyring finds the backend automatically, and prefers it to Secret Service")
    func found() throws {
        let daemon = try daemon("allow")
        let variables = ["AUTOFILLD_SOCKET": daemon.socket, "PYTHON_KEYRING_BACKEND": ""]
        let script = """
            import os; del os.environ["PYTHON_KEYRING_BACKEND"]
            import keyring.backend as b; print(max(b.get_all_keyring(), key=b.by_priority))
            """
        let run = try environment.run("python", ["-c", script], variables)
        #expect(run.output == "autofill_client.keyring.AutofillKeyring (priority: 6)\n", "\(run.output)")
        let none = try environment.run(
            "python", ["-c", script], variables.merging(["AUTOFILLD_SOCKET": "/none"]) { $1 })
        #expect(!none.output.contains("Autofill"), "\(none.output)")
    }

    @Test("pip installs from an index that requires a password, and twine uploads to it")
    func pipAndTwine() throws {
        let daemon = try daemon("allow")
        let index = try PackageIndex(account: "ann:correct horse")
        let (host, variables) = ("127.0.0.1:\(index.port)", ["AUTOFILLD_SOCKET": daemon.socket])
        for service in [host, "http://\(host)/upload/"] {
            let set = try environment.run("keyring", ["set", service, "ann"], variables, input: "correct horse")
            #expect(set.status == 0, "\(set.output)")
        }
        let simple = "http://\(host)/simple/"
        let install = try environment.run("pip", ["install", "-i", simple, "autofill-example"], variables)
        #expect(install.status == 0, "\(install.output)")
        let greeting = try environment.run("python", ["-c", "import autofill_example as e; print(e.GREETING)"])
        #expect(greeting.output == "installed\n")
        let upload = try environment.run(
            "twine",
            [
                "upload", "--non-interactive", "--disable-progress-bar", "--repository-url", "http://\(host)/upload/",
                "--username", "ann", environment.wheel,
            ], variables)
        #expect(upload.status == 0, "\(upload.output)")
        let uploaded = index.directory.path + "/" + URL(filePath: environment.wheel).lastPathComponent
        #expect(FileManager.default.fileExists(atPath: uploaded))
        let asked = try index.end()
        #expect(asked.contains { $0.hasSuffix(".whl 200") } && asked.last == "POST /upload/ 200", "\(asked)")
        _ = try environment.run("pip", ["uninstall", "--yes", "autofill-example"])
    }

    @Test("After the user's no pip reports it, and prompts at the terminal")
    func refused() throws {
        let daemon = try daemon("deny")
        let index = try PackageIndex(account: "ann:correct horse")
        let (host, variables) = ("127.0.0.1:\(index.port)", ["AUTOFILLD_SOCKET": daemon.socket])
        let set = try environment.run("keyring", ["set", host, "ann"], variables, input: "correct horse")
        #expect(set.status == 0, "\(set.output)")
        let install = try environment.run(
            "pip", ["install", "-i", "http://\(host)/simple/", "autofill-example"], variables)
        #expect(install.status != 0)
        #expect(
            install.output.contains("Keyring is skipped due to an exception: The user refused"), "\(install.output)")
        #expect(install.output.contains("User for \(host):"), "\(install.output)")
        #expect(daemon.log().contains("org.pypi.keyring due to error: The user refused"), "\(daemon.log())")
    }
}
