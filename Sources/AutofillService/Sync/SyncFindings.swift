// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import SyncMerge

/// What was found of copies that write under the id of a machine, for as long as the process runs.
struct SyncFindings {
    /// For how long something is stated that the user need not change: 30 days.
    static let statedMilliseconds: UInt64 = 30 * 86_400_000
    /// For how long the journal does not state again of a machine that it has a copy: one day.
    static let repeatMilliseconds: UInt64 = 86_400_000
    /// How many machines are named at most.
    private static let namedMachines = 3

    /// When this machine was given another id, as something else has written under its own.
    private var renewed: Timestamp?
    /// When two files of one sequence were found of another machine, and the journal was to state it.
    private var copied: [DeviceID: Timestamp] = [:]

    mutating func noteRenewal(at now: Timestamp) { renewed = now }

    /// Returns the machines of those that the journal is to state.
    mutating func note(_ twins: Set<TwinFiles>, at now: Timestamp) -> [DeviceID] {
        copied = copied.filter { Self.isWithin(Self.statedMilliseconds, of: $0.value, now) }
        let stated = copied.filter { Self.isWithin(Self.repeatMilliseconds, of: $0.value, now) }
        let new = Set(twins.map(\.device)).subtracting(stated.keys).sorted()
        for device in new { copied[device] = now }
        return new
    }

    private static func isWithin(_ milliseconds: UInt64, of time: Timestamp, _ now: Timestamp) -> Bool {
        (now.milliseconds - time.milliseconds).magnitude < milliseconds
    }

    /// Sentences for `status`; nil: there is nothing to state.
    ///
    /// - Parameter devices: all machines of the group.
    func text(_ devices: [SyncedDevice], at now: Timestamp) -> String? {
        func isStated(_ time: Timestamp?) -> Bool {
            time.map { Self.isWithin(Self.statedMilliseconds, of: $0, now) } ?? false
        }
        var sentences: [String] = []
        if isStated(renewed) {
            sentences.append(
                "Files were found under the id of this machine that it has not written: a copy of it is in use. All is "
                    + "merged, and this machine has a new id since: autofillctl sync devices lists the former one.")
        }
        // The other copy of a former id of this machine was found by that.
        let others = devices.filter { $0.isMember && !$0.isFormer && isStated(copied[$0.id]) }
        let names = others.map { $0.name ?? $0.id.hexadecimal }
        if !names.isEmpty {
            sentences.append(
                "Two files of one sequence were found of \(Self.shown(names)): a copy writes under the same id. Both are "
                    + "merged; once both copies are unlocked, one of them takes a new id.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    /// Machines by their names, the first of them.
    static func shown(_ names: [String]) -> String {
        let shown = names.prefix(namedMachines).map { PromptText.shown($0, limit: Limits.promptNameCharacters) }
        let more = names.count > shown.count ? " and \(names.count - shown.count) more" : ""
        return shown.joined(separator: ", ") + more
    }
}
