// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import Credentials
internal import EventLoop
package import PasswordRules
internal import Reasons

/// Password generators that were made lately; they hold no secret. Apple's format takes no time. All else takes counting, up to
/// a tenth of a second: on another thread, of one program so many at a time, and remembered.
package final class PasswordGenerators {
    package struct Key: Hashable, Sendable {
        let rules: PasswordRules
        let options: PasswordGenerator.Options

        package init(_ rules: PasswordRules, _ options: PasswordGenerator.Options) {
            (self.rules, self.options) = (rules, options)
        }
    }

    package typealias Made = Result<PasswordGenerator, PasswordRulesRefusal>

    private var recent = RecentValues<Key, Made>(limit: Limits.rememberedRules)
    /// One that takes megabytes: only the last is kept.
    private var large: (key: Key, made: Made)?
    private let making: SharedWork<Key, Made?>
    /// How many were begun and are not done, by the quota key of the program that had them begun.
    private var begun: [String: Int] = [:]
    /// When the quota key's used time is restored, in milliseconds of CLOCK_MONOTONIC: nothing is counted while the machine sleeps.
    private var spent = RecentValues<String, Int64>(limit: Limits.rememberedReaders)
    private let environment: ServiceContext

    init(_ environment: ServiceContext) {
        self.environment = environment
        making = SharedWork(environment.tasks, endsUnawaited: false)
    }

    /// Throws that it is waited for, where it is to be made.
    package func generator(for key: Key) throws(Unsettled) -> Made {
        if let made = recent[key] { return made }
        if let large, large.key == key { return large.made }
        if let readable = PasswordGenerator(readableFor: key.rules, options: key.options) {
            recent[key] = .success(readable)
            return .success(readable)
        }
        throw .waits(for: .generator(key))
    }

    /// Has it made. What a program has begun counts for it until it is done, whether or not a request still waits for it.
    func make(_ key: Key, for quotaKey: String, within limit: Duration) async throws(RefusedRequest) {
        let busy = Refusal(.tooManyRequests, retryAfterMilliseconds: 1000)
        if !making.isRunning(key) {
            let excess = (spent[quotaKey] ?? now) - now - Int64(Limits.rulesBurstMilliseconds)
            guard excess <= 0 else { throw RefusedRequest([Refusal(.tooManyRequests, retryAfterMilliseconds: excess)]) }
            guard begun[quotaKey, default: 0] < Limits.waitingRulesPerApp else { throw RefusedRequest([busy]) }
            begun[quotaKey, default: 0] += 1
        }
        let made: Made?
        do throws(WaitFailure) {
            made = try await making.outcome(of: key, within: limit) {
                await self.count(key, for: quotaKey, within: limit)
            }
        } catch {
            throw error.refused(busy)
        }
        if made == nil { throw RefusedRequest([busy]) }
    }

    /// Counts on another thread; nil where that is not done in time.
    private func count(_ key: Key, for quotaKey: String, within limit: Duration) async -> Made? {
        let begin = now
        let made = try? await environment.pool.run(.rules, deadline: limit) { Self.made(key) }
        let end = now
        let left = begun[quotaKey, default: 1] - 1
        begun[quotaKey] = left > 0 ? left : nil
        spent[quotaKey] = max(end, spent[quotaKey] ?? end) + (end - begin) * Int64(Limits.rulesQuota)
        if let made { keep(made, for: key) }
        return made
    }

    private var now: Int64 { environment.loop.clocks.monotonic().nanoseconds / 1_000_000 }

    private static func made(_ key: Key) -> Made {
        Result { () throws(PasswordRulesRefusal) in try PasswordGenerator(rules: key.rules, options: key.options) }
    }

    private func keep(_ made: Made, for key: Key) {
        if case .success(let generator) = made, !generator.isSmall {
            large = (key, made)
        } else {
            recent[key] = made
        }
    }
}
