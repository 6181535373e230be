// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials

/// What was decided for a connection lately; each holds at the policy's revision at which it was decided.
struct SessionDecisions {
    private var grants = RecentValues<Service, (revision: UInt64, grant: ObjectID)>(limit: Limits.rememberedDecisions)
    /// Of which field of a service's credentials the connection owns one, with how many had been written to the vault by then.
    private var own = RecentValues<OwnField, (revision: UInt64, written: Int)>(limit: Limits.rememberedDecisions)
    private var served = RecentValues<Service, (revision: UInt64, answer: Bool)>(limit: Limits.rememberedDecisions)

    /// The grant under which every condition but the vault's held.
    mutating func grant(for service: Service, at revision: UInt64) -> ObjectID? {
        guard let decided = grants[service], decided.revision == revision else { return nil }
        return decided.grant
    }

    mutating func keep(_ grant: ObjectID, for service: Service, at revision: UInt64) {
        grants[service] = (revision, grant)
    }

    /// Whether every condition but the vault's held, and the connection owns the field of a credential of the service.
    mutating func owns(_ field: CredentialField, of service: Service, at revision: UInt64, written: Int) -> Bool {
        guard let decided = own[OwnField(service: service, field: field)] else { return false }
        return decided == (revision, written)
    }

    mutating func keepOwn(_ field: CredentialField, of service: Service, at revision: UInt64, written: Int) {
        own[OwnField(service: service, field: field)] = (revision, written)
    }

    /// Whether a service is the app's own, by `judge` where that was not decided yet.
    mutating func serves(_ service: Service, at revision: UInt64, _ judge: () -> Bool) -> Bool {
        if let decided = served[service], decided.revision == revision { return decided.answer }
        let answer = judge()
        served[service] = (revision, answer)
        return answer
    }
}

private struct OwnField: Hashable {
    let service: Service
    let field: CredentialField
}
