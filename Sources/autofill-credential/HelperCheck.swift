// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import SecretMemory

/// `--check`: says hello as a tool's request would, asks for nothing, and prints what came of it as one JSON object.
enum HelperCheck {
    /// - Returns: the exit status, 0 where passwords can be had and stored.
    static func run(_ tool: HelperTool) -> Int32 {
        var writer = JSONWriter()
        var isWell = false
        let desk = HelperDesk(tool)
        do throws(HelperFailure) {
            let greeted = try desk.connect()
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
