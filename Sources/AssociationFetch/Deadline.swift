// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol

/// A limit on how long something takes.
enum Deadline {
    /// What the body gives, or `timed-out` when it has not by then. The body is cancelled, and not waited for where it does
    /// not listen to that.
    static func run<Result: Sendable>(
        until deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let (results, end) = AsyncStream.makeStream(of: Swift.Result<Result, any Error>.self)
        let work = Task {
            do { end.yield(.success(try await body())) } catch { end.yield(.failure(error)) }
        }
        let timer = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            end.yield(.failure(FetchFailure(.timedOut)))
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for await result in results { return try result.get() }
        throw FetchFailure(.timedOut)
    }
}
