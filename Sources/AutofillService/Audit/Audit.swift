// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import PeerIdentity
internal import Reasons
internal import Settings

/// The record of releases, and the journal's copy of it.
package final class Audit {
    private let vault: VaultKeeper
    let journal: Journal
    /// For refusals in the record: what was released is always on it.
    private var limiter: LogRateLimiter
    private var ownReads = OwnReads()
    private let clock: ServiceClock

    init(_ vault: VaultKeeper, _ journal: Journal, _ clock: ServiceClock) {
        self.vault = vault
        self.journal = journal
        self.clock = clock
        limiter = LogRateLimiter(.record, at: clock.steady.milliseconds)
    }

    /// Puts a release on record, where the peer is still the one that was inspected and has asked. What is not on record does
    /// not leave; an app's own that has been given to the same program lately is on record already.
    ///
    /// - Parameter isUse: whether it is a credential that becomes the one used last.
    func release(
        _ object: ObjectID?, under permit: Permit, _ request: RequestContext, isUse: Bool = false
    ) throws(Refusal) {
        do throws(Unsettled) { try request.confirmPeer() } catch { throw error.refusal }
        var grant: ObjectID?
        if case .granted(let id) = permit.authorisation { grant = id }
        let read = ownRead(object, permit, request)
        let isRecorded = read.map { ownReads.admit($0, at: clock.steady.milliseconds) } ?? true
        let used = isUse ? object : nil
        let session = request.session
        do throws(Refusal) {
            if isRecorded {
                let release = entry(
                    object, grant, nil, permit.service, request.method, session, for: request.evidence)
                try vault.change { vault throws(VaultError) in try vault.releases.record(release, usedNow: used) }
            } else if let used {
                let now = clock.now
                try vault.change { vault throws(VaultError) in
                    try vault.writers.credentials.noteUse(of: used, at: now)
                }
            }
        } catch {
            if isRecorded, let read { ownReads.revert(read) }
            throw error
        }
        let how = request.isProven ? " with proof" : grant == nil ? "" : " under a grant"
        journal.log(
            "[AutoFill] Filled \(object?.kind == .offer ? "a strong password" : "what is saved") for app bundleID: "
                + "\(session.app?.bundleID.text ?? "")\(how)", nil, request.method, session,
            domain: permit.service.value)
    }

    /// Puts the releases of a page of an export on record, in one write. One line of the journal has their number.
    func release(_ exported: [(object: ObjectID, permit: Permit)], _ request: RequestContext) throws(Refusal) {
        guard !exported.isEmpty else { return }
        do throws(Unsettled) { try request.confirmPeer() } catch { throw error.refusal }
        let releases = exported.map { object, permit in
            entry(object, nil, nil, permit.service, request.method, request.session, for: request.evidence)
        }
        try vault.change { vault throws(VaultError) in
            for release in releases { try vault.releases.append(release) }
            try vault.releases.commit()
        }
        journal.log(
            "[AutoFill] Exported \(releases.count) saved credentials for app bundleID: "
                + "\(request.session.app?.bundleID.text ?? "") with proof", nil, request.method, request.session,
            domain: nil)
    }

    /// Puts on record that all that is saved is given to another machine.
    func releaseAll(to receiver: String, _ request: RequestContext) throws(Refusal) {
        do throws(Unsettled) { try request.confirmPeer() } catch { throw error.refusal }
        try record(
            entry(nil, nil, nil, nil, request.method, request.session, for: "All that is saved, for \(receiver)"))
    }

    /// The vault was locked or replaced: what apps read of their own goes on record again.
    func forgetNames() { ownReads = OwnReads() }

    /// What counts as an app's reading its own; nil for what is always put on record.
    private func ownRead(_ object: ObjectID?, _ permit: Permit, _ request: RequestContext) -> OwnReads.Read? {
        guard !permit.isGranted, !request.isProven else { return nil }
        return OwnReads.Read(
            quotaKey: request.session.quotaKey, method: request.method, service: permit.service, object: object)
    }

    /// Puts an entry on record; it survives the end of the process when this returns. Where that cannot be nothing is on
    /// record, and nothing may leave.
    private func record(_ release: Release) throws(Refusal) {
        try vault.change { vault throws(VaultError) in try vault.releases.record(release) }
    }

    private func entry(
        _ object: ObjectID?, _ grant: ObjectID?, _ refused: Reason?, _ service: Service?, _ method: Method,
        _ session: Session, for purpose: String?
    ) -> Release {
        Release(
            time: clock.now, app: session.app?.bundleID.text ?? "",
            assurance: session.app?.subject?.assurance ?? "none", processID: session.peer.evidence.process,
            executable: session.programOnRecord ?? "", unit: session.peer.evidence.controlGroup?.unit,
            method: method.rawValue,
            service: service, object: object, grant: grant, refused: refused?.rawValue, evidence: purpose)
    }

    /// Notes a refused request: in the record where it is open and has capacity for refusals, and in the journal.
    func note(_ refusals: [Refusal], _ method: Method, _ session: Session, named: Service?) {
        guard let first = refusals.first else { return }
        let refused = refusals.lazy.compactMap { $0.parameters[.domain] }.first
        let domain = refused == nil || refused == named?.asArgument ? named?.value : refused
        let app = session.app?.bundleID.text ?? ""
        let event = LogRateLimiter.Event(method: method, reason: first.reason, domain: domain)
        if method.refusalIsRecorded, case .unlocked? = vault.opened?.state,
            limiter.admit(
                app: app, program: session.peer.journalQuotaKey, event: event, at: clock.steady.milliseconds)
                != nil
        {
            // A refusal that cannot be recorded is still a refusal; the fault shows at the next release.
            let service = named.flatMap { $0.value == domain ? $0 : nil } ?? domain.map { Service(named: $0) }
            try? record(entry(nil, nil, first.reason, service, method, session, for: nil))
        }
        journal.log(
            "[AutoFill] Refused \(method.rawValue) of app bundleID: \(app) due to error: \(first.reason.message)",
            first, method, session, domain: domain)
    }

    /// Records that a request was done, for debugging.
    func noteAnswer(_ request: RequestContext) {
        journal.log(
            "[AutoFill] Answered \(request.method.rawValue) of app bundleID: "
                + "\(request.session.app?.bundleID.text ?? "")",
            nil, request.method, request.session, domain: nil, level: .debug)
    }

    /// Notes why no strong password is offered: Apple's line, once for each field, screen and reason.
    func noteWithheld(
        _ refusals: [Refusal], form: String?, field: String, domain: String?, _ request: RequestContext
    ) {
        guard let first = refusals.first, let app = request.session.app else { return }
        let key = FormMemory.LoggedReason(form: form, field: field, reason: first.reason.rawValue)
        guard request.session.memory.forms.isFirst(key) else { return }
        journal.log(
            Refusal.journalLine(first.reason, app: app.bundleID.text), first, request.method, request.session,
            domain: domain)
    }
}

extension RequestContext {
    /// What a release is for, as the caller or its delegate states it.
    fileprivate var evidence: String? { notes.page.evidence ?? session.app?.delegate?.evidence }
}

extension Session {
    /// The program, and the delegate that speaks for it.
    var programOnRecord: String? {
        guard let path = peer.evidence.shownPath else { return nil }
        return app?.delegate.map { "\(path) through \($0.program.path)" } ?? path
    }

    var peerHasEnded: Bool {
        do throws(PeerRefusal) {
            try peer.confirm()
            return false
        } catch {
            if case .ended = error { return true }
            return false
        }
    }

    /// Inspects the peer again: it must still be the one that was inspected before.
    func confirmPeer() throws(Unsettled) {
        do throws(PeerRefusal) {
            try peer.confirm()
        } catch {
            switch error {
            case .ended: throw Unsettled(.peerEnded)
            case .executableChanged: throw Unsettled(.peerChanged)
            // The user's command keeps others from reading what is typed into it. What it may do takes proof. What could not be
            // inspected when it connected is not treated as that command.
            case .unreadable where isCommandLine && app?.delegate == nil: break
            default: throw Unsettled(.identityMismatch, [.app: app?.bundleID.text ?? ""])
            }
        }
        if arriving.hasOtherSender { throw Unsettled(.peerChanged) }
    }
}

extension Method {
    /// Whether a refusal of it belongs into the record of releases.
    fileprivate var refusalIsRecorded: Bool {
        switch self {
        case .autofillFill, .offerList, .credentialGet, .credentialList, .credentialUpdate, .credentialDelete,
            .grantAllow, .grantDeny,
            .grantList, .grantRevoke, .codeGet, .codeExport, .exportBegin, .exportRead, .keychainGet, .keychainSearch,
            .keychainDelete, .keychainRequest, .syncJoin, .syncInvite, .syncAdmit, .syncRemove, .syncConflicts,
            .verifierExport, .signInStatus:
            true
        default: false
        }
    }
}
