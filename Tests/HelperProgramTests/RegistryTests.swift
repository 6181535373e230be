// SPDX-License-Identifier: Apache-2.0
import CredentialHelpers
import Foundation
import Support
import TestGround
import Testing

@Suite("docker and cargo with their helpers", .blocking, .timeLimit(.minutes(10)))
struct RegistryTests {
    @Test(
        "docker login, its look-ups and logout use the vault, and the configuration has no password",
        .enabled("docker or python3 is not installed") {
            ForeignProgram.isInstalled("docker") && ForeignProgram.isInstalled("python3")
        })
    func docker() throws {
        let stage = try HelperStage()
        let server = try LocalServer("docker_registry.py", ["ann:correct horse"])
        let host = "127.0.0.1:\(server.port)"
        func docker(_ arguments: [String], input: String = "") throws -> ForeignProgram {
            // No engine, and no socket of one: the registry is asked by the program itself.
            try ForeignProgram(
                "docker", arguments, stage.variables.merging(["DOCKER_HOST": "unix:///none"]) { $1 }, input: input)
        }
        let home = stage.directory.path + "/home/.docker"
        let install = try ForeignProgram(
            try DaemonProcess.program("autofillctl"), ["helper", "install", "docker"], stage.variables)
        #expect(install.status == 0, "\(install.output)")

        let login = try docker(["login", "--username", "ann", "--password-stdin", host], input: "correct horse")
        #expect(login.status == 0 && login.output.contains("Login Succeeded"), "\(login.output)")
        let configuration = try String(contentsOfFile: home + "/config.json", encoding: .utf8)
        #expect(configuration.contains(#""credsStore": "autofill""#), "\(configuration)")
        #expect(configuration.contains(host) && !configuration.contains("\"auth\""), "\(configuration)")
        #expect(try stage.run(.docker, ["list"]).output == #"{"\#(host)":"ann"}"# + "\n")
        let again = try docker(["login", host])
        #expect(again.output.contains("Authenticating with existing credentials... [Username: ann]"), "\(again.output)")
        // A pull passes the password to the engine, which the server simulates.
        let pull = try docker(["--host", "tcp://" + host, "pull", host + "/kept:1"])
        #expect(pull.status == 0 && pull.output.contains("pulled"), "\(pull.output)")

        let logout = try docker(["logout", host])
        #expect(logout.status == 0 && !logout.output.contains("WARNING"), "\(logout.output)")
        #expect(try stage.run(.docker, ["list"]).output == "{}\n")
        let requests = try server.end()
        #expect(requests.contains("GET /v2/ 200") && requests.contains("POST /v1.45/images/create 200"), "\(requests)")
    }

    @Test(
        "cargo login, a fetch, a publish and logout use the vault",
        .enabled("cargo or python3 is not installed") {
            ForeignProgram.isInstalled("cargo") && ForeignProgram.isInstalled("python3")
        })
    func cargo() throws {
        let stage = try HelperStage()
        let server = try LocalServer("cargo_registry.py", ["t0ken-of-ann"])
        let home = stage.directory.path + "/home/.cargo"
        try stage.directory.write(
            "home/.cargo/config.toml",
            """
            # The registry of this test.
            [registries.local]
            index = "sparse+http://127.0.0.1:\(server.port)/index/"

            """)
        var variables = stage.variables.merging(["CARGO_HOME": home, "CARGO_TERM_COLOR": "never"]) { $1 }
        // A cargo of rustup's finds its compiler by the home that rustup was installed in.
        let real = ProcessInfo.processInfo.environment["HOME"] ?? "/root"
        variables["RUSTUP_HOME"] = ProcessInfo.processInfo.environment["RUSTUP_HOME"] ?? real + "/.rustup"
        func cargo(_ arguments: [String], input: String = "") throws -> ForeignProgram {
            try ForeignProgram("cargo", arguments, variables, input: input, in: stage.directory.path + "/project")
        }
        try stage.directory.write(
            "project/Cargo.toml",
            """
            [package]
            name = "user"
            version = "0.1.0"
            edition = "2021"
            description = "d"
            license = "MIT"
            publish = ["local"]

            [dependencies]
            kept = { version = "0.1", registry = "local" }

            """)
        try stage.directory.write("project/src/lib.rs", "pub use kept::KEPT;\n")
        let install = try ForeignProgram(
            try DaemonProcess.program("autofillctl"), ["helper", "install", "cargo"], variables)
        #expect(install.status == 0, "\(install.output)")

        let without = try cargo(["fetch"])
        #expect(without.status != 0 && without.output.contains("no token found"), "\(without.output)")
        let login = try cargo(["login", "--registry", "local"], input: "t0ken-of-ann\n")
        #expect(login.status == 0, "\(login.output)")
        #expect(!FileManager.default.fileExists(atPath: home + "/credentials.toml"))
        let fetch = try cargo(["fetch"])
        #expect(fetch.status == 0, "\(fetch.output)")
        let publish = try cargo(["publish", "--registry", "local", "--no-verify", "--allow-dirty"])
        #expect(publish.output.contains("Uploaded user v0.1.0") || publish.status == 0, "\(publish.output)")
        let logout = try cargo(["logout", "--registry", "local"])
        #expect(logout.status == 0, "\(logout.output)")
        let later = try cargo(["publish", "--registry", "local", "--no-verify", "--allow-dirty"])
        #expect(later.status != 0 && later.output.contains("token"), "\(later.output)")
        let requests = try server.end()
        #expect(
            requests.contains("GET /dl/kept/0.1.0 200") && requests.contains("PUT /api/v1/crates/new 200"),
            "\(requests)")
    }
}
