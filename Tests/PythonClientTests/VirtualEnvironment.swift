// SPDX-License-Identifier: Apache-2.0
import Foundation
import Support
import TestGround

/// A fresh virtual environment with the wheel of Sources/PythonClient, one for all tests.
final class VirtualEnvironment: Sendable {
    struct Failure: Error { let output: String }

    static let shared = Result { try VirtualEnvironment() }
    static let source = TestFiles.root + "Sources/PythonClient"
    static let hasPython = ForeignProgram.isInstalled("python3")
    /// Whether Python can make virtual environments, which Debian has in a separate package.
    static let canBeMade = hasPython && (try? ForeignProgram("python3", ["-c", "import ensurepip, venv"]).status) == 0
    /// Whether keyring and the programs that use it could be installed from PyPI.
    static let hasKeyring = canBeMade && ((try? shared.get().installKeyring()) ?? false)

    private let directory: TemporaryDirectory
    let wheel: String
    var path: String { directory.path }

    private init() throws {
        directory = try TemporaryDirectory()
        let path = directory.path
        _ = try Self.require("python3", ["-m", "venv", path + "/venv"])
        // Neither takes anything from the network.
        let pip = ["-m", "pip", "--isolated", "--disable-pip-version-check"]
        _ = try Self.require(
            path + "/venv/bin/python",
            pip + ["wheel", "--no-index", "--no-deps", "--wheel-dir", path + "/wheels", Self.source])
        let wheels = try FileManager.default.contentsOfDirectory(atPath: path + "/wheels")
        guard let name = wheels.first, wheels.count == 1 else { throw Failure(output: "\(wheels)") }
        wheel = path + "/wheels/" + name
        _ = try Self.require(path + "/venv/bin/python", pip + ["install", "--no-index", wheel])
    }

    /// Runs a program of it.
    func run(
        _ program: String, _ arguments: [String], _ variables: [String: String] = [:], input: String = ""
    ) throws -> ForeignProgram {
        try ForeignProgram(
            path + "/venv/bin/" + program, arguments, Self.variables.merging(variables) { $1 }, input: input, in: path)
    }

    private func installKeyring() throws -> Bool {
        let tools = ["keyring", "twine", "pytest"]
        return try run("pip", ["--isolated", "install", "--quiet", "--retries", "1", "--timeout", "20"] + tools).status
            == 0
    }

    private static func require(_ program: String, _ arguments: [String]) throws -> ForeignProgram {
        let run = try ForeignProgram(program, arguments, variables)
        guard run.status == 0 else { throw Failure(output: run.output) }
        return run
    }

    /// Nothing is written to the source tree, and no setting of this machine is used.
    static let variables = [
        "PYTHONDONTWRITEBYTECODE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_CONFIG_FILE": "/dev/null",
        "PIP_KEYRING_PROVIDER": "import", "PYTHON_KEYRING_BACKEND": "autofill_client.keyring.AutofillKeyring",
        "NO_COLOR": "1",
    ]
}
