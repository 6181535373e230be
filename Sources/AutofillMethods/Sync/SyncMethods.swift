// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService

/// The methods `admin.sync.*`.
struct SyncMethods: MethodArea {
    let views: SyncStatusReader
    let membership: SyncMembership

    init(_ membership: SyncMembership) {
        self.membership = membership
        views = SyncStatusReader(membership.exchange)
    }

    func effects(for request: RequestContext) -> NoEffects { NoEffects() }
}

extension SyncStatus: JudgedCall {
    typealias Area = SyncMethods
    typealias Decision = Answer

    func promptText(_ views: SyncStatusReader) -> String? { "read the state of sync" }

    func judge(_ views: SyncStatusReader, _ request: RequestView) throws(Unsettled) -> Answer { try views.status() }
}

extension SyncConflicts: JudgedCall {
    typealias Area = SyncMethods
    typealias Decision = Answer

    func promptText(_ views: SyncStatusReader) -> String? { "list the conflicts of sync" }

    func judge(_ views: SyncStatusReader, _ request: RequestView) throws(Unsettled) -> Answer {
        Answer(conflicts: try views.conflicts())
    }
}
