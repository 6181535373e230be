// SPDX-License-Identifier: Apache-2.0
import AutofillCommands
import TestGround
import Testing

extension TemporaryDirectory {
    /// Writes a script that can be run at once.
    ///
    /// A child makes it: were it open for writing here, a program that another test starts meanwhile would have it open
    /// too, and execve(2) would refuse it (ETXTBSY).
    func writeProgram(_ name: String, _ script: String) throws {
        let draft = name + ".draft"
        try write(draft, script)
        let child = try ChildProcess.start(
            "/usr/bin/install", ["-m", "755", "\(path)/\(draft)", "\(path)/\(name)"], environment: [:], files: [])
        try #require(ChildProcess.wait(for: child) == 0)
    }
}
