// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import ConfigurationFiles
internal import Credentials
internal import PeerIdentity
internal import Reasons

/// The person's word, made by command, on what programs keep through Secret Service.
extension Modules {
    /// What such a word is for: an item by its id, or all that an app keeps (`imported`: that was taken over from another service).
    func grantableSecret(_ service: ServiceIdentifier) throws(RefusedRequest) -> Service {
        let granted = try keychainPlace(service).granted
        guard granted.secretServiceName != nil else {
            throw .invalid("service.value", "\(Item.secretServiceGroup)/ITEM or \(Item.secretServiceGroup)/APP")
        }
        return granted
    }

    /// What an installed program is when it asks through Secret Service: its app, and what stands for it, by each bridge that there
    /// is.
    func secretServiceSubjects(
        ofProgram path: String, _ request: RequestContext
    ) async throws(RefusedRequest) -> (app: String, executables: [String]) {
        try request.willWait()
        await apps.look()
        guard let program = await apps.program(at: path) else {
            throw .invalid(
                "program", "the path of an installed program, which root alone can change and which is no interpreter")
        }
        let bridges = await apps.secretServiceBridges()
        guard !bridges.isEmpty else {
            throw RefusedRequest(.appNotInstalled, [.app: "autofilld.secrets", .path: path])
        }
        let executables = bridges.compactMap { GrantSubject.delegated(by: $0, .path(program.path)).line() }
        return (program.app, executables)
    }
}

extension ServiceIdentifier {
    /// Whether it names something of Secret Service.
    var isOfSecretService: Bool {
        type == Service.Kind.keychain.rawValue && Service(kind: .keychain, value: value).secretServiceName != nil
    }
}
