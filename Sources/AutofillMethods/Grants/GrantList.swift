// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import AutofillService
internal import CredentialStorage
internal import Credentials

extension GrantList: JudgedCall {
    typealias Area = GrantMethods
    typealias Decision = Answer

    func promptText(_ views: GrantViews) -> String? { "list which apps may fill which passwords" }

    func judge(_ views: GrantViews, _ request: RequestView) throws(Unsettled) -> Answer {
        let after: ObjectID? = try page.after()
        let found = try views.grants.grants(after: after, limit: page.limit)
        // What is in memory only is listed among the others by its id.
        let consents = views.grants.browserGrants.filter { consent in
            (after.map { $0 < consent.id } ?? true) && (found.next.map { consent.id < $0 } ?? true)
        }
        let all = consents.isEmpty ? found.elements : (found.elements + consents).sorted { $0.id < $1.id }
        let grants = all.prefix(page.limit)
        let next = all.count > page.limit ? grants.last?.id : found.next
        return Answer(grants: grants.map(GrantReport.init), next: next?.description)
    }
}
