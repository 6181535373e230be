// SPDX-License-Identifier: Apache-2.0
internal import AutofillPolicy
internal import AutofillProtocol
internal import ConfigurationFiles
internal import CredentialStorage
internal import Credentials
internal import Forms
internal import PeerIdentity
internal import SecretMemory

extension AutofillBroker {
    func status(_ call: Status, _ client: Client) throws(RefusedRequest) -> Status.Answer {
        let catalog = configuration.registrations.catalog
        // How the person has it set up, and how much they have, is nothing to an app in a sandbox.
        let isOutside = !client.peer.evidence.sandbox.isKnown
        let counts = isOutside ? vault.opened?.counts : nil
        return Status.Answer(
            version: configuration.version, isEphemeral: configuration.isEphemeral, vault: vault.word,
            vaultPath: isOutside ? vault.path : nil, credentials: counts?.credentials,
            pendingOffers: counts?.pendingOffers,
            clients: isOutside ? clients.count : 1, apps: isOutside ? catalog.registrations.count : 0,
            problems: isOutside ? catalog.problems.map(\.description) + overruledSettings : [],
            isMemoryLocked: SecretBytes.allLocked, settingsPath: isOutside ? configuration.settingsPath : "",
            settings: appSettings(of: client),
            work: vault.loan.map { loan in
                let count = loan.progress.count
                return Status.VaultWork(method: loan.method?.rawValue, done: count.done, all: count.all)
            })
    }

    /// All conditions for the calling app, each with evidence and fix.
    func diagnose(_ call: Diagnose, _ client: Client) throws(RefusedRequest) -> Diagnose.Answer {
        reloadRegistrations()
        let site = try call.service.map { service throws(RefusedRequest) in try self.site(service) }
        var form: FormAnalysis?
        var rules: AutofillFacts.Rules?
        if let fields = call.fields {
            let read = try formFields(fields)
            let analysis = FormAnalysis(of: read)
            form = analysis
            rules = strongPassword(for: analysis, of: read, style: nil, on: site?.service)?.fact
        }
        var consent = AutofillFacts.Consent.unknown
        if let service = site?.service, vault.fact == .unlocked, client.app?.subject != nil {
            switch try remembered(client, service) {
            case .some(let grant) where grant.decision == .allow:
                consent = .granted("grant \(grant.id) of \(grant.created)")
            case .some: consent = .denied
            case nil: consent = .missing
            }
        }
        let facts = facts(for: client, site: site?.fact ?? .unnamed, form: form, rules: rules, consent: consent)
        let strong = Examination(of: facts, for: .strongPassword)
        let saved = Examination(of: facts, for: .savedCredential)
        var findings = strong.findings
        if let grant = saved.findings.first(where: { $0.condition == .grant }) {
            findings.insert(grant, at: findings.firstIndex { $0.condition == .vault } ?? findings.endIndex)
        }
        return Diagnose.Answer(
            strongPassword: strong.isPermitted, savedCredentials: saved.isPermitted,
            conditions: findings.map(ConditionReport.init))
    }
}

extension ConditionReport {
    init(_ finding: Finding) {
        self.init(
            condition: finding.condition.rawValue, title: finding.condition.title, isHeld: finding.isHeld,
            evidence: finding.evidence, reason: finding.refusal.map(ReasonReport.init))
    }
}
