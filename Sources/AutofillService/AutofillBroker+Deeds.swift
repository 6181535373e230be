// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialStorage
internal import Credentials
internal import Prompting
internal import Reasons

/// What a request would do that has a prompt for its proof, in words. What it names by an id is looked up: the person is told
/// whose it is.
extension AutofillBroker {
    /// Throws what the request itself would get for an id that is nobody's.
    func deed<Call: ProvableCall>(of call: Call) throws(RefusedRequest) -> String {
        switch call {
        case let call as AutofillFill: try deed(of: call)
        case let call as AutofillAccept:
            "save \(try offered(call.offer))" + (call.user.map { ", for \(Self.shown($0))" } ?? "")
        case let call as AutofillDecline: "put away \(try offered(call.offer))"
        case let call as CredentialDelete: "delete the password saved for \(try saved(call.credential))"
        case let call as GrantRevoke: try deed(of: call)
        case let call as any DescribedDeed: call.deed
        default: "do \(Call.method.rawValue)"
        }
    }

    private func deed(of call: AutofillFill) throws(RefusedRequest) -> String {
        if let offer = call.offer { return "read \(try offered(offer))" }
        if let credential = call.credential { return "read the password saved for \(try saved(credential))" }
        let name = call.code ?? ""
        if let code = offeredCodes[name] {
            return "read a one-time code that came in for \(Self.shown(code.service.value))"
        }
        let suggested = try suggestedCodes().entries.first { $0.id == name }.flatMap { ObjectID($0.credential) }
        guard let id = suggested ?? ObjectID(codeName: name) else { throw RefusedRequest(.codeNotFound) }
        return "read a one-time code for \(try saved(id.description))"
    }

    private func deed(of call: GrantRevoke) throws(RefusedRequest) -> String {
        let open = try vault.unlocked()
        guard let id = ObjectID(call.grant), id.kind == .grant,
            let grant = try attempting({ () throws(VaultError) in try open.grant(id) })
        else { throw .invalid("grant", "the id of a grant, from grant.list") }
        let (app, service) = (Self.shown(grant.subject.app), Self.shown(grant.service.value))
        return grant.decision == .allow
            ? "take back that the app \(app) may fill what is saved for \(service)"
            : "take back that the app \(app) is kept from what is saved for \(service)"
    }

    private func offered(_ name: String) throws(RefusedRequest) -> String {
        let offer = try offer(name, of: nil)
        return
            "the password that was offered to \(Self.shown(offer.subject.app)) for \(Self.shown(offer.service.value))"
    }

    private func saved(_ name: String) throws(RefusedRequest) -> String {
        let open = try vault.unlocked()
        guard let id = ObjectID(name), id.kind == .credential,
            let credential = try attempting({ () throws(VaultError) in try open.credential(id) }),
            credential.deleted == nil
        else { throw RefusedRequest(.credentialNotFound) }
        return "\(Self.shown(credential.user)) at \(Self.shown(credential.service.value))"
    }

    private static func shown(_ text: String) -> String {
        PromptText.shown(text, limit: Limits.promptPathCharacters)
    }
}
