// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Prompting
import Synchronization
import Testing

@Suite("The queue of prompts")
struct PromptQueueTests {
    @Test("One at a time, in the order in which they came")
    func order() async {
        let queue = PromptQueue<Int>()
        let seen = Mutex<[Int]>([])
        let running = Mutex(0)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            for number in 0..<20 {
                _ = queue.add(number) { _ in
                    #expect(
                        running.withLock {
                            $0 += 1; return $0
                        } == 1)
                    seen.withLock { $0.append(number) }
                    running.withLock { $0 -= 1 }
                    if number == 19 { done.resume() }
                }
            }
        }
        #expect(seen.withLock { $0 } == Array(0..<20))
    }

    @Test("What is taken back before its turn is never shown, and what shows is told")
    func withdrawal() async {
        let queue = PromptQueue<String>()
        let seen = Mutex<[String]>([])
        let added = DispatchSemaphore(value: 0)
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            _ = queue.add("first") { withdrawal in
                added.wait()
                queue.withdraw("second")
                queue.withdraw("first")
                seen.withLock { $0.append(withdrawal.wait(milliseconds: 60_000) ? "first stayed" : "first went") }
            }
            _ = queue.add("second") { _ in seen.withLock { $0.append("second") } }
            _ = queue.add("third") { _ in done.resume() }
            added.signal()
        }
        #expect(seen.withLock { $0 } == ["first went"])
    }

    @Test("Asked again after it was taken back it is a new question")
    func again() async {
        let queue = PromptQueue<String>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            _ = queue.add("same") { withdrawal in
                queue.withdraw("same")
                _ = queue.add("same") { withdrawal in
                    #expect(!withdrawal.isWithdrawn)
                    done.resume()
                }
                #expect(withdrawal.isWithdrawn)
            }
        }
    }
}
