// SPDX-License-Identifier: Apache-2.0
import AutofillClient
import Foundation
import Reasons
import Testing

@testable import AutofillCommands

@Suite("A key file that was made for a change of the vault")
struct KeyFileTests {
    @Test(
        "A new key file is deleted if the service states that nothing was changed; otherwise it is kept, which is reported"
    )
    func ended() throws {
        let path = NSTemporaryDirectory() + "autofilld-key-" + UUID().uuidString
        defer { unlink(path) }
        let stays = [
            CommandFailure(AutofillError.connectionLost), CommandFailure(AutofillError.cancelled),
            CommandFailure(AutofillError.answerNotUnderstood("x")), CommandFailure(Refusal(.stopping)),
            CommandFailure(Refusal(.internalFault)), CommandFailure(Refusal(.storageFull)),
        ]
        for failure in stays {
            #expect(try KeyFile.readOrCreate(path).isNew || FileManager.default.fileExists(atPath: path))
            let failed = KeyFile.ended(path, by: failure)
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(failed.problems.last?.message.hasPrefix("The new key file") == true)
        }
        for reason in [Reason.proofWrong, .vaultCorrupt, .slotLast, .cancelled] {
            _ = try KeyFile.readOrCreate(path)
            let failure = CommandFailure(Refusal(reason))
            #expect(KeyFile.ended(path, by: failure) == failure)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
