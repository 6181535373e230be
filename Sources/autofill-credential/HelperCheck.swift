// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import SecretMemory

/// `--check`: connects as a tool's request would, requests nothing, and prints the result as one JSON object.
enum HelperCheck {
    /// - Returns: the exit status, 0 if passwords can be read and stored.
    static func run(_ tool: HelperTool) -> Int32 {
        var writer = JSONWriter()
        var isWell = false
        let session = HelperSession(tool)
        do throws(HelperFailure) {
            let greeted = try session.connect()
            let answer = greeted.answer
            isWell = answer.vault == "unlocked" && answer.app.registration != nil && answer.app.assurance != "none"
            writer.object { writer in
                writer.member("bundleID", answer.app.bundleID)
                writer.member("assurance", answer.app.assurance)
                writer.member("registration", orNull: answer.app.registration)
                writer.member("reasons", answer.app.reasonNames)
                writer.member("vault", orNull: answer.vault)
                writer.member("delegate", greeted.isDelegate)
            }
        } catch {
            let message = error.trouble.message
            writer.object { $0.member("trouble", message) }
        }
        writer.endLine()
        StandardStreams.write(writer.withUnsafeBytes { SecretBytes(copying: $0) })
        return isWell ? 0 : 1
    }
}
