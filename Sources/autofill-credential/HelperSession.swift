// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import Glibc
internal import SecretMemory

/// Does what a tool wants at the daemon, over one connection for each task.
///
/// Beside each password that it stores or gives out it keeps a keychain item of the tool's (`KeptPlace`), with the notes: so `list`
/// needs no proof, and nobody is asked about erasing what was never there.
struct HelperDesk {
    let tool: HelperTool
    private let parent: HelperParent?

    init(_ tool: HelperTool) {
        self.tool = tool
        parent = HelperParent()
    }

    /// A connection after hello.
    struct Greeted {
        let connection: HelperConnection
        let answer: Hello.Answer
        /// Whether it speaks for the process that started this one.
        let isDelegate: Bool
    }

    func perform(_ task: HelperTask) -> HelperOutcome {
        if case .ask(let prompt) = task {
            guard let typed = StandardStreams.ask(prompt) else {
                return .failed(HelperTrouble("No token was given, and there is no terminal to ask at"))
            }
            return .typed(typed)
        }
        var result = Result { () throws(HelperFailure) in try attempt(task) }
        // The service was restarted: everything that is asked here may be asked again.
        if case .failure(.lost) = result { result = Result { () throws(HelperFailure) in try attempt(task) } }
        if case .failure(let failure) = result, failure.isFor("stopping") {
            result = Result { () throws(HelperFailure) in try attempt(task) }
        }
        switch result {
        case .success(let outcome): return outcome
        case .failure(let failure):
            return failure.isFor("credential-not-found") ? .notFound : .failed(failure.trouble)
        }
    }

    /// Connects as the tool: for the process that started this one, where the daemon lets it.
    func connect() throws(HelperFailure) -> Greeted {
        let connection = try HelperConnection()
        let delegated = try greetAsDelegate(connection)
        let answer = if let delegated { delegated } else { try connection.perform(Hello(bundleID: tool.bundleID)) }
        connection.waitForPeople()
        return Greeted(connection: connection, answer: answer, isDelegate: delegated != nil)
    }

    private func greetAsDelegate(
        _ connection: HelperConnection
    ) throws(HelperFailure) -> Hello.Answer? {
        guard let parent else { return nil }
        do throws(HelperFailure) {
            let call = Hello(
                bundleID: HelperTool.helperID, onBehalfOf: Hello.OnBehalfOf(bundleID: tool.bundleID))
            return try connection.perform(call, passing: parent.pidfd)
        } catch {
            guard error.isFor("identity-mismatch") else { throw error }
            return nil
        }
    }

    private func attempt(_ task: HelperTask) throws(HelperFailure) -> HelperOutcome {
        let greeted = try connect()
        let order = HelperOrder(greeted.connection, for: tool, mayAsk: greeted.answer.vault == "unlocked")
        switch task {
        case .get(let place, let user): return .found(try order.get(place, user))
        case .store(let place, let user, let password, let notes):
            try order.store(place, user, password, notes)
            return .done
        case .erase(let place, let user, let password): return try order.erase(place, user, password)
        case .list: return .listed(try order.stored())
        case .ask: return .notFound
        }
    }
}
