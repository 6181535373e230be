// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import Reasons
internal import SyncFiles

/// What keeps files from being exchanged.
enum SyncFault: Error, Equatable {
    case failed(SyncFailure)
    /// Nothing is merged or published any more.
    case stopped(ArrivedChanges.Problem)
    /// The vault was locked, or other work had it for long.
    case interrupted

    /// A sentence for `status`, with what to do.
    var text: String {
        switch self {
        case .interrupted: "The vault was in use; it is tried again."
        case .failed(.vault(let error)): "\(error.refusal.reason.message). \(error.refusal.fix)"
        case .stopped(.limit(let limit)):
            "A file of another machine is not merged: it has more than \(limit.text). All others are. What was "
                + "deleted counts too: stop sync on each machine, and start it again. If that machine has not written the "
                + "file, check who can write to the folder."
        case .stopped(let problem): SyncFault.failed(problem.failure).text
        case .failed(.file(let error)): "A file of another machine could not be read (\(error))."
        case .failed(.keys): "No key of the group was given to this machine. A member has to be unlocked once."
        case .failed(.noSequence): "This machine has published as many files as there can be: stop and join again."
        case .failed(.limit(let limit)):
            "No snapshot of this vault can be written: it would have more than \(limit.text). Others merge what changes "
                + "here if there is an earlier one under this machine's id. What was deleted counts too: stop sync on "
                + "each machine, and start it again."
        case .failed(let failure): "\(failure.refusal.reason.message). \(failure.refusal.fix)"
        }
    }

    var refusal: Refusal {
        switch self {
        case .failed(let failure): failure.refusal
        case .stopped(let problem): problem.failure.refusal
        case .interrupted: .vaultBusy
        }
    }
}

extension ArrivedChanges.Problem {
    fileprivate var failure: SyncFailure {
        switch self {
        case .update: .needsUpdate
        case .removed: .notMember
        case .limit(let limit): .limit(limit)
        }
    }
}

extension SyncFailure.Limit {
    fileprivate var text: String {
        switch self {
        case .entries: "\(SyncFileLimits.entries) entries"
        case .bytes: "\(SyncFileLimits.fileBytes) bytes"
        }
    }
}

extension SyncFailure {
    /// A failure of sync becomes a reason here only.
    var refusal: Refusal {
        switch self {
        case .vault(let error): error.refusal
        case .notStarted: Refusal(.syncOff)
        case .started: Refusal(.syncOn)
        case .restored: Refusal(.syncUndecided)
        case .incomplete(let names): Refusal(.syncIncomplete, [.detail: Self.missing(of: names)])
        case .notOrdered:
            Refusal(.syncIncomplete, [.detail: "what carries them is not known here. \(Self.stopAndJoin)"])
        case .needsUpdate: Refusal(.updateNeeded)
        case .invitation(let error): error.refusal
        case .unknownDevice:
            Refusal(.deviceNotRemovable, [.detail: "Name a member, by autofillctl sync devices: this one is none"])
        case .otherRecoveryKey:
            Refusal(.deviceNotRemovable, [.detail: "Check the recovery key: it is not that of this group"])
        case .tooManyMembers:
            Refusal(.invitationNotValid, [.detail: "Remove a machine first: the group has \(SyncFileLimits.members)"])
        case .tooManyStatements:
            Refusal(
                .deviceNotRemovable,
                [.detail: "Begin sync again on each machine: the group has as many statements as it may have"])
        case .notMember: Refusal(.machineRemoved)
        case .admittedBefore:
            Refusal(.invitationNotValid, [.detail: "Join again on that machine: these keys were let in before"])
        case .itself: Refusal(.deviceNotRemovable, [.detail: "Stop sync here instead: autofillctl sync stop"])
        case .senior:
            Refusal(
                .deviceNotRemovable,
                [
                    .detail:
                        "Use autofillctl sync recovery MACHINE, or a machine of before: that one came in before this one"
                ])
        case .file, .keys, .own, .noSequence:
            Refusal(.storageFailed, [.detail: "sync cannot write its files"])
        case .limit: Refusal(.storageFailed, [.detail: "a file of sync has more than is accepted of one"])
        }
    }

    /// What is left to a vault of which this machine does not know the folder or remote.
    private static let stopAndJoin = "Run autofillctl sync stop, then join by an invitation of another machine"

    private static func missing(of names: [String]) -> String {
        "files of \(SyncFindings.shown(names)) are missing that another machine has. "
            + "If that one is lost: autofillctl sync resume vault --accept-missing"
    }
}

extension InvitationError {
    var refusal: Refusal {
        let detail: String
        switch self {
        case .codeMistyped: detail = "Type the code again: one of its characters is wrong"
        case .expired: detail = "Invite the machine again: fifteen minutes are over"
        case .twoAnswers: detail = "Invite the machine again: two machines answered, and neither is let in"
        case .used: detail = "Invite the machine again: this one was used, or refused"
        case .newerFormat: return Refusal(.updateNeeded)
        case .keysUnproven, .keysUnusable:
            detail = "Invite the machine again: the answer is not of a machine that has its keys"
        case .malformed, .otherCode, .otherGroup, .keys: detail = "Invite the machine again: what arrived is no answer"
        }
        return Refusal(.invitationNotValid, [.detail: detail])
    }
}

extension CarrierProblem {
    /// A sentence for `status`, with what to do.
    func text(_ detail: String?) -> String {
        let what = detail.map { " (\($0))" } ?? ""
        return switch self {
        case .folderMissing: "The folder is not there\(what): start the program that carries it, or mount it."
        case .folderUnreadable: "The folder cannot be read\(what): check its permissions."
        case .folderFull: "The folder has no space left\(what): free some. What changes here waits until then."
        case .gitFailed: "git failed\(what): try git fetch with this URL, and give this user its ssh key."
        case .gitRejected: "A copy of this machine has pushed\(what); this one takes a new id."
        case .tooManyFiles: "The folder has more files or machines than are read\(what)."
        case .tooLarge: "The folder has a file that is larger than any is read\(what)."
        case .incompleteFiles: "Files have been incomplete for an hour\(what): check the program that carries them."
        }
    }
}
