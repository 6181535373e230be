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
    /// How many wait, by whose requests.
    private var waiting: [String: Int] = [:]
    /// Until when what was counted for an account makes up its share of the time, in milliseconds of CLOCK_MONOTONIC: nobody counts
    /// while the machine sleeps.
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

    /// Makes it, whether or not a request still waits for it.
    func make(_ key: Key, for account: String, within limit: Duration) async throws(RefusedRequest) {
        let busy = Refusal(.tooManyRequests, retryAfterMilliseconds: 1000)
        let begin = now
        let excess = (spent[account] ?? begin) - begin - Int64(Limits.rulesBurstMilliseconds)
        guard excess <= 0 else { throw RefusedRequest([Refusal(.tooManyRequests, retryAfterMilliseconds: excess)]) }
        guard waiting[account, default: 0] < Limits.waitingRulesPerApp else { throw RefusedRequest([busy]) }
        waiting[account, default: 0] += 1
        defer {
            let left = waiting[account, default: 1] - 1
            waiting[account] = left > 0 ? left : nil
        }
        let pool = environment.pool
        let made: Made?
        do throws(WaitFailure) {
            made = try await making.outcome(of: key, within: limit) {
                try? await pool.run(.rules, deadline: limit) { Self.made(key) }
            }
        } catch {
            throw error.refused(busy)
        }
        let end = now
        spent[account] = max(end, spent[account] ?? end) + (end - begin) * Int64(Limits.rulesQuota)
        guard let made else { throw RefusedRequest([busy]) }
        keep(made, for: key)
    }

    private var now: Int64 { environment.loop.clocks.monotonic().nanoseconds / 1_000_000 }

    private static func made(_ key: Key) -> Made {
        do throws(PasswordRulesRefusal) {
            return .success(try PasswordGenerator(rules: key.rules, options: key.options))
        } catch {
            return .failure(error)
        }
    }

    private func keep(_ made: Made, for key: Key) {
        if case .success(let generator) = made, !generator.isSmall {
            large = (key, made)
        } else {
            recent[key] = made
        }
    }
}
