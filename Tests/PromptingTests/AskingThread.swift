// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Prompting
import Synchronization

/// A prompter that asks on a thread of its own while the test plays the person.
final class AskingThread: Sendable {
    private let answer = Mutex<String>("")
    private let done = DispatchSemaphore(value: 0)

    init(_ prompter: Prompter, _ prompt: Prompt, withinMilliseconds limit: Int, _ withdrawal: Withdrawal) {
        DispatchQueue(label: "asking").async { [self] in
            let word = prompter.ask(prompt, withinMilliseconds: limit, withdrawal: withdrawal).word
            answer.withLock { $0 = word }
            done.signal()
        }
    }

    /// Waits for what came of it.
    func word() -> String {
        done.wait()
        return answer.withLock { $0 }
    }
}
