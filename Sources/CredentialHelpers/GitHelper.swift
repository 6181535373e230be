// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// `git-credential-autofill [--timeout=SECONDS] get|store|erase|capability`, the protocol of gitcredentials(7). When it
/// has no answer, git asks its other helpers and the user at the terminal: nothing on standard output, and the exit
/// status 0.
package struct GitHelper: Sendable {
    package enum Operation: String, Sendable { case get, store, erase, capability }

    /// nil for an unknown one, which is ignored.
    package let operation: Operation?
    /// How many seconds a stored password is kept.
    package let timeout: Int64?
    private var isErasing = false

    /// - Throws: for an unknown option.
    package init(arguments: some Sequence<String>) throws(HelperTrouble) {
        var (name, timeout): (String?, Int64?) = (nil, nil)
        for argument in arguments {
            if argument.hasPrefix("--timeout="), let seconds = Int64(argument.dropFirst("--timeout=".count)),
                seconds > 0
            {
                timeout = seconds
            } else if argument.hasPrefix("-") {
                throw HelperTrouble("usage: git-credential-autofill [--timeout=SECONDS] get|store|erase|capability")
            } else {
                name = argument
            }
        }
        (operation, self.timeout) = (name.flatMap(Operation.init), timeout)
    }

    /// Whether git describes a credential on standard input.
    package var readsInput: Bool { operation != nil && operation != .capability }

    /// - Parameter now: seconds since 1970.
    package func start(_ input: UnsafeRawBufferPointer, now: Int64) -> HelperAction {
        guard let operation else { return .answer(HelperAnswer()) }
        // Credentials other than user and password (authtype) are not supported.
        if operation == .capability { return .answer(HelperAnswer(SecretBytes(utf8: "version 0\n"))) }
        do throws(HelperTrouble) {
            let asked = try GitDescription(input)
            guard let url = asked.url else { return .answer(HelperAnswer()) }
            switch operation {
            case .get: return .perform(.get(url: url, user: asked.user))
            case .erase: return .perform(.erase(url: url, user: asked.user, password: asked.password))
            case .store, .capability:
                guard let user = asked.user, let password = asked.password else { return .answer(HelperAnswer()) }
                let notes = notes(of: asked, now: now)
                return .perform(.store(url: url, user: user, password: password, notes: notes))
            }
        } catch {
            return .answer(HelperAnswer(trouble: error.message))
        }
    }

    /// - Parameter task: the one that was performed.
    package mutating func next(after task: HelperTask, _ outcome: HelperOutcome, now: Int64) -> HelperAction {
        switch outcome {
        case .found(let kept): return answer(task, kept, now: now)
        case .failed(let trouble) where !isErasing: return .answer(HelperAnswer(trouble: trouble.message))
        case .done, .notFound, .listed, .typed, .failed: return .answer(HelperAnswer())
        }
    }

    private mutating func answer(_ task: HelperTask, _ kept: StoredPassword, now: Int64) -> HelperAction {
        // git would read what follows a line feed as a key of its own: another app may have saved such a password.
        let lineFeed = UInt8(ascii: "\n")
        guard !kept.user.utf8.contains(lineFeed), !kept.password.withUnsafeBytes({ $0.contains(lineFeed) }) else {
            return .answer(
                HelperAnswer(
                    trouble: "The saved user or password contains a line feed, which git's protocol cannot transfer"))
        }
        var answer = GitDescription()
        (answer.user, answer.password) = (kept.user, kept.password)
        // Notes belong to the password that they were stored with.
        let notes = kept.notes.withUnsafeBytes { try? GitDescription($0) }
        if let notes, notes.password?.equals(kept.password) == true {
            if case .get(let url, _) = task, let end = notes.end, end <= now {
                isErasing = true
                return .perform(.erase(url: url, user: kept.user, password: nil))
            }
            (answer.expiry, answer.refreshToken) = (notes.expiry, notes.refreshToken)
            if let expiry = notes.expiry, expiry <= now {
                // Another helper may get a new password with the token; an older git would use the expired one.
                guard notes.refreshToken != nil else { return .answer(HelperAnswer()) }
                (answer.password, answer.expiry) = (nil, nil)
            }
        }
        var buffer = SecretBuffer()
        answer.write(to: &buffer)
        return .answer(HelperAnswer(buffer.secret))
    }

    private func notes(of stored: GitDescription, now: Int64) -> SecretBytes {
        guard stored.expiry != nil || stored.refreshToken != nil || timeout != nil else { return SecretBytes(utf8: "") }
        var notes = GitDescription()
        (notes.password, notes.expiry, notes.refreshToken) = (stored.password, stored.expiry, stored.refreshToken)
        notes.end = timeout.map { now.addingReportingOverflow($0).partialValue }
        var buffer = SecretBuffer()
        notes.write(to: &buffer)
        return buffer.secret
    }
}
