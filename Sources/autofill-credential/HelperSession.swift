// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CredentialHelpers
internal import Glibc
internal import SecretMemory

/// Performs a tool's tasks at the daemon, over one connection for each.
///
/// For each password that it stores or returns it writes a keychain item of the tool (`StoredLocation`), with the
/// notes: so `list` needs no proof, and erasing what was never stored needs no prompt.
struct HelperSession {
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
        /// Whether the helper is a delegate of the process that started it.
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
        // The service was restarted: every task can be repeated.
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

    /// Connects as the tool, as a delegate of the process that started this one if the daemon permits it.
    func connect() throws(HelperFailure) -> Greeted {
        let connection = try HelperConnection()
        let delegated = try greetAsDelegate(connection)
        let answer = if let delegated { delegated } else { try connection.perform(Hello(bundleID: tool.bundleID)) }
        connection.waitForUser()
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
        case .get(let url, let user): return .found(try order.get(url, user))
        case .store(let url, let user, let password, let notes):
            try order.store(url, user, password, notes)
            return .done
        case .erase(let url, let user, let password): return try order.erase(url, user, password)
        case .list: return .listed(try order.stored())
        case .ask: return .notFound
        }
    }
}
