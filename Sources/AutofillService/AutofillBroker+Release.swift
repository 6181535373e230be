// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// The record of releases, and the journal's copy of it.
extension AutofillBroker {
    /// Puts a release on record, after a last look at the peer. What is not on record does not leave.
    func release(
        _ object: ObjectID?, _ service: Service, _ method: Method, _ client: Client, _ authorisation: Authorisation,
        _ isProven: Bool
    ) throws(RefusedRequest) {
        try confirmPeer(of: client)
        var grant: ObjectID?
        if case .granted(let id) = authorisation { grant = id }
        try record(object, grant, nil, service, method, client)
        let how = isProven ? " with proof" : grant == nil ? "" : " under a grant"
        journal(
            "[AutoFill] Filled \(object?.kind == .offer ? "a strong password" : "what is saved") for app bundleID: "
                + "\(client.app?.bundleID.text ?? "")\(how)", nil, method,
            client, domain: service.value, isRelease: true)
    }

    private func record(
        _ object: ObjectID?, _ grant: ObjectID?, _ refused: Reason?, _ service: Service?, _ method: Method,
        _ client: Client
    ) throws(RefusedRequest) {
        let evidence = client.peer.evidence
        let open = try vault.unlocked()
        try attempting { () throws(VaultError) in
            try open.append(
                Release(
                    time: now, app: client.app?.bundleID.text ?? "",
                    assurance: client.app?.subject?.assurance ?? "none",
                    processID: evidence.process, executable: evidence.executable.path ?? "",
                    unit: evidence.controlGroup?.unit,
                    method: method.rawValue, service: service, object: object, grant: grant,
                    refused: refused?.rawValue))
        }
    }

    /// Notes a refused request: in the record where it is open and there is room for refusals, and in the journal.
    func note(_ refusals: [Refusal], _ method: Method, _ client: Client) {
        guard let first = refusals.first else { return }
        let domain = refusals.lazy.compactMap { $0.parameters[.domain] }.first ?? namedDomain
        let app = client.app?.bundleID.text ?? ""
        let event = JournalGate.Event(method: method, reason: first.reason, domain: domain)
        if method.releases, case .unlocked? = vault.opened?.state,
            gateOfRecord.admit(
                app: app, program: client.journalAccount, event: event, at: now) != nil
        {
            let service = domain.map { Service(named: $0) }
            // A refusal that cannot be recorded is still a refusal; the fault shows at the next release.
            try? record(nil, nil, first.reason, service, method, client)
        }
        journal(
            "[AutoFill] Refused \(method.rawValue) of app bundleID: \(app) due to error: "
                + first.reason.message,
            first, method, client, domain: domain)
    }

    /// Notes why no strong password is offered: Apple's line, once for each field, screen and reason.
    func noteWithheld(
        _ refusals: [Refusal], form: String?, field: String, domain: String?, _ method: Method, _ client: Client
    ) {
        guard let first = refusals.first, let app = client.app else { return }
        let key = Client.LoggedReason(form: form, field: field, reason: first.reason.rawValue)
        if client.logged.count >= 256 { client.logged.removeAll() }
        guard client.logged.insert(key).inserted else { return }
        journal(
            Refusal.journalLine(first.reason, app: app.bundleID.text), first, method, client, domain: domain)
    }
}

extension Method {
    /// Whether a refusal of it belongs into the record of releases.
    fileprivate var releases: Bool {
        switch self {
        case .autofillFill, .offerList, .credentialGet, .credentialList, .credentialDelete, .grantAllow, .grantDeny,
            .grantList,
            .grantRevoke, .codeGet, .codeExport, .keychainGet, .keychainList, .keychainDelete, .verifierExport,
            .signInStatus:
            true
        default: false
        }
    }
}
