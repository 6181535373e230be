// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import SyncCarrier
import SyncFiles
import Testing

/// The carrier links neither the vault nor its files, and the wire knows neither: each has its own numbers.
@Suite("The limits of sync")
struct SameLimitsTests {
    @Test("The carrier, the files and the wire have the same ones")
    func same() {
        #expect(CarrierLimits.fileBytes == SyncFileLimits.fileBytes)
        #expect(CarrierLimits.invitationBytes == SyncFileLimits.invitationBytes)
        #expect(CarrierLimits.devices == SyncFileLimits.members)
        #expect(Limits.deviceNameBytes == SyncFileLimits.nameBytes)
        #expect(Int64(Limits.invitationMilliseconds) == Invitation.validMilliseconds)
    }
}
