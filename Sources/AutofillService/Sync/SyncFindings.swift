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
    /// How many machines are named at most.
    private static let namedMachines = 3

    /// When this machine was given another id, as something else has written under its own.
    private var renewed: Timestamp?
    /// When two files of one sequence were last found of another machine.
    private var copied: [DeviceID: Timestamp] = [:]
    private var noted: Set<TwinFiles> = []

    mutating func noteRenewal(at now: Timestamp) { renewed = now }

    /// Returns the machines of those that are new, each as often as it has any.
    mutating func note(_ twins: Set<TwinFiles>, at now: Timestamp) -> [DeviceID] {
        let new = twins.subtracting(noted).map(\.device).sorted()
        noted.formUnion(twins)
        for device in new { copied[device] = now }
        return new
    }

    /// Sentences for `status`; nil: there is nothing to state.
    ///
    /// - Parameter devices: all machines of the group.
    func text(_ devices: [SyncedDevice], at now: Timestamp) -> String? {
        func isStated(_ time: Timestamp?) -> Bool {
            time.map { (now.milliseconds - $0.milliseconds).magnitude < Self.statedMilliseconds } ?? false
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
            let shown = names.prefix(Self.namedMachines).map {
                PromptText.shown($0, limit: Limits.promptNameCharacters)
            }
            let more = names.count > shown.count ? " and \(names.count - shown.count) more" : ""
            sentences.append(
                "Two files of one sequence were found of \(shown.joined(separator: ", "))\(more): a copy writes under the "
                    + "same id. Both are merged; once both copies are unlocked, one of them takes a new id.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
