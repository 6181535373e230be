// SPDX-License-Identifier: Apache-2.0
import Credentials
import Foundation
import Reasons
import Testing

@testable import AutofillService
@testable import CredentialStorage

@Suite("The fixes of a vault's errors")
struct VaultFixTests {
    private static let path = "/home/jo/.local/share/autofilld/vault.sqlite"

    /// Every case, and every cause within it.
    private static let errors: [VaultError] =
        [
            .missing, .exists, .locked, .held(processID: 4711, program: "autofilld"),
            .held(processID: nil, program: nil), .newer(found: "9"), .notAVault(path: path),
            .wrongSecret(retryAfterMilliseconds: 1000), .tooSoon(retryAfterMilliseconds: 2000), .noSuchSlot, .lastSlot,
            .slotDamaged(1), .slotTooCostly(1), .recoveryKeyMistyped, .tooLarge(limit: 5), .storageFull, .readOnly,
            .permissionLost(path: path), .permissionLost(path: "/proc/1/environ"), .notPlain(path: path),
            .replaced(path: path), .failed(code: 10), .backupDamaged, .damaged("record crd_1"),
            .damaged("every page"), .outdated, .fileExists(path: path), .rekeying, .cancelled,
            .absent(path: path),
        ]
        + [
            .absent, .notAFile, .openToOthers, .foreignOwner, .wrongLength, .present, .unreadable,
        ].map { .keyFile(path: "/home/jo/vault.key", $0) }
        + [
            .emptyPassphrase, .blankPassphrase, .commonPassphrase, .keyNot32Bytes, .costTooLow, .costTooHigh, .noSlot,
            .tooManyPassphrases,
        ].map { .unusableSecret($0) }

    @Test("Each fix is a sentence that begins with what to do, of the vault, its backups and what is salvaged")
    func sentences() {
        for error in Self.errors {
            for refusal in [
                error.refusal, error.refusalOfBackup, error.refusalOfRestore, error.refusalOfSalvage,
                error.refusalOfTakingBack,
            ] {
                #expect(EveryReasonTests.isSentence(refusal.fix), "\(error): \(refusal.fix)")
                let verb = String(refusal.fix.prefix { $0.isLetter || $0 == "'" })
                #expect(Self.verbs.contains(verb), "\(error): \(refusal.fix)")
            }
        }
    }

    @Test("So does each reason's own, also where its cause is not at hand")
    func reasons() {
        for reason in Reason.allCases {
            let fix = Refusal(reason).fix
            #expect(Self.verbs.contains(String(fix.prefix { $0.isLetter })), "\(reason): \(fix)")
            #expect(!fix.hasPrefix("DETAIL") && !fix.isEmpty)
        }
    }

    /// What fixes begin with.
    private static let verbs: Set = [
        "Accept", "Add", "Allow", "Approve", "Ask", "Check", "Choose", "Compare", "Connect", "Copy", "Correct",
        "Create", "Delete",
        "Fix", "Free", "Get",
        "Give", "Have", "Install", "Let", "List", "Lock", "Make", "Move", "Name", "Open", "Put", "Read", "Recover",
        "Repair", "Repeat",
        "Report", "Request", "Revert", "Run", "Save", "See", "Send", "Serve", "Set", "Simplify", "Start", "Stop",
        "Take", "Try", "Turn",
        "Unlock", "Use", "Wait", "Write",
    ]
}
