// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import EventLoop
internal import Reasons

/// Waits for what requests need.
final class RequestWaiter {
    private let vault: VaultKeeper
    private let user: UserQuestions
    private let computations: RequestComputations
    private let associations: SiteAssociations
    private let apps: AppDirectory
    private let quotas: Quotas
    private let laterTurns: LaterTurns

    init(
        _ vault: VaultKeeper, _ user: UserQuestions, _ computations: RequestComputations,
        _ associations: SiteAssociations, _ apps: AppDirectory, _ quotas: Quotas
    ) {
        self.vault = vault
        self.user = user
        self.computations = computations
        self.associations = associations
        self.apps = apps
        self.quotas = quotas
        laterTurns = LaterTurns(vault.environment.loop)
    }

    /// Waits until it has happened; throws where it will not, or the request is cancelled.
    func wait(_ request: RequestContext, for awaited: Awaited) async throws(RefusedRequest) {
        try request.willWait()
        let limit = awaited.limit
        switch awaited {
        case .unlock: try await user.unlock(for: request, within: limit)
        case .consent(let question):
            guard try await user.ask(question, for: request, within: limit) else {
                return try await wait(request, for: .vaultWork)
            }
        case .generator(let key): try await computations.makeGenerator(key, for: request, within: limit)
        case .association(let query, let app):
            do throws(WaitFailure) { try await associations.awaitAnswer(query, for: app, within: limit) } catch {
                throw error.refused(Refusal(.siteNotFetched, [.domain: query.domain]))
            }
        case .turn:
            guard await laterTurns.next(as: request.session.quotaKey) else { throw RefusedRequest(.cancelled) }
        case .vaultWork:
            do throws(WaitFailure) { try await vault.awaitReturn(within: limit) } catch {
                throw error.refused(.vaultBusy)
            }
        case .offerExpiry:
            let now = vault.clock.steady
            quotas.noteExpiry(at: now)
            do throws(Refusal) {
                try vault.write { writers, _ throws(VaultError) in try writers.offers.expireAll(at: now) }
            } catch {
                throw RefusedRequest([error])
            }
        case .files:
            await apps.reload()
            request.state.results.hasReadFiles = true
        case .grantedPrograms(let query):
            request.state.results.grantedPrograms = try await GrantedPrograms.inspect(query, apps)
        case .slots(let secrets):
            request.state.results.slots = try await computations.deriveSlots(from: secrets, request)
        case .passwordHash(let password, let basis):
            request.state.results.passwordHash = (try await computations.hash(password, request), basis)
        case .passwordCheck(let password, let hash):
            request.state.results.passwordCheck = try await computations.check(password, against: hash, request)
        }
    }
}
