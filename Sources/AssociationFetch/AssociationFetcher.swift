// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
package import AutofillProtocol
internal import CCurl
internal import CCurlOptions
package import Glibc

/// Fetches the statements of sites about their apps, from the two files that may contain them, any number at a time, on
/// the one thread that calls it.
///
/// A name is resolved here and each connection pinned to an address that was checked, so that no second answer of a
/// name server can lead elsewhere. No redirect is followed, no proxy used, nothing cached: the resources of a query are
/// released when it ends.
package final class AssociationFetcher {
    private let testing: TestingGround?
    private let milliseconds: Int64
    private let multi: UnsafeMutableRawPointer
    private let resolver: Resolver
    private var fetches: [FetchID: SiteFetch] = [:]
    private var finished: [FinishedFetch] = []
    private var last = 0

    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - testing: the replacement of the internet.
    ///   - timeLimit: the time limit of a query.
    package init(
        testing: TestingGround? = nil, timeLimit: Duration = .milliseconds(Limits.associationMilliseconds)
    ) throws(FetcherError) {
        guard Self.isLibraryReady, let multi = curl_multi_init() else { throw .noLibrary }
        self.testing = testing
        self.multi = multi
        milliseconds = Int64(timeLimit / .milliseconds(1))
        resolver = Resolver(waking: multi)
    }

    deinit {
        resolver.stop()
        fetches = [:]
        curl_multi_cleanup(multi)
    }

    /// Begins a query; ``wait(for:besides:)`` returns its report, after the time limit at the latest.
    package func begin(_ query: AssociationQuery) -> FetchID {
        last += 1
        let id = FetchID(number: last)
        guard let domain = try? DomainName(query.domain) else {
            finished.append(FinishedFetch(id, AssociationReport(query, failure: FetchFailure(.nameNotAllowed))))
            return id
        }
        let ground = query.mode == .developer || testing?.coversStandardMode == true ? testing : nil
        fetches[id] = SiteFetch(
            query, of: domain, on: ground, deadline: MonotonicClock.milliseconds + milliseconds,
            connectMilliseconds: milliseconds / 2)
        if let address = ground?.address {
            found([address], by: id)
        } else {
            resolver.ask(for: domain.text, as: id)
        }
        return id
    }

    /// Cancels a query. Its connections are closed at once.
    package func end(_ id: FetchID) {
        resolver.forget(id)
        fetches[id] = nil
        finished.removeAll { $0.id == id }
    }

    /// Waits until a query has ended, one of the descriptors is ready, or the time is up; then sets the descriptors'
    /// `revents`.
    ///
    /// - Parameter limit: milliseconds.
    package func wait(for limit: Int64, besides descriptors: inout [pollfd]) throws(FetcherError) -> [FinishedFetch] {
        if finished.isEmpty {
            // CURL_WAIT_POLLIN, POLLPRI and POLLOUT are poll's.
            var extra = descriptors.map { curl_waitfd(fd: $0.fd, events: $0.events, revents: 0) }
            let time = Int32(clamping: min(limit, resolvingLimit))
            let code = curl_multi_poll(multi, &extra, UInt32(extra.count), time, nil)
            guard code == CURLM_OK else { throw .wait(code.rawValue) }
        }
        // libcurl does not report hang-ups.
        if poll(&descriptors, nfds_t(descriptors.count), 0) < 0 {
            for index in descriptors.indices { descriptors[index].revents = 0 }
        }
        try advance()
        defer { finished = [] }
        return finished
    }

    /// Milliseconds until a name look-up times out.
    private var resolvingLimit: Int64 {
        let deadlines = fetches.values.lazy.filter { $0.addresses == nil }.map(\.deadline)
        return deadlines.min().map { max(0, $0 - MonotonicClock.milliseconds) } ?? .max
    }

    private func advance() throws(FetcherError) {
        let time = MonotonicClock.milliseconds
        for (id, fetch) in fetches where fetch.addresses == nil {
            if let addresses = resolver.answer(to: id) {
                found(addresses, by: id)
            } else if fetch.deadline <= time {
                fail(id, FetchFailure(.timedOut))
            }
        }
        var running: Int32 = 0
        let code = curl_multi_perform(multi, &running)
        guard code == CURLM_OK else { throw .wait(code.rawValue) }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left)?.pointee {
            guard message.msg == CURLMSG_DONE, let context = af_curl_context(message.easy_handle) else { continue }
            let transfer = Unmanaged<FileTransfer>.fromOpaque(context).takeUnretainedValue()
            receive(SiteReading(file: transfer.file, result: transfer.result(message.data.result)), of: transfer.id)
        }
    }

    private func found(_ addresses: [NetworkAddress], by id: FetchID) {
        do throws(FetchFailure) {
            try fetches[id]?.receive(addresses)
            try connect(id)
        } catch {
            fail(id, error)
        }
    }

    private func connect(_ id: FetchID) throws(FetchFailure) {
        try fetches[id]?.connect(in: multi, as: id, at: MonotonicClock.milliseconds)
    }

    private func receive(_ reading: SiteReading, of id: FetchID) {
        guard fetches[id]?.receive(reading) == true, let fetch = fetches[id] else { return }
        guard fetch.shouldTryAgain(at: MonotonicClock.milliseconds) else {
            return finish(id, fetch.report)
        }
        do throws(FetchFailure) { try connect(id) } catch { fail(id, error) }
    }

    private func fail(_ id: FetchID, _ failure: FetchFailure) {
        guard let query = fetches[id]?.query else { return }
        finish(id, AssociationReport(query, failure: failure))
    }

    private func finish(_ id: FetchID, _ report: AssociationReport) {
        resolver.forget(id)
        fetches[id] = nil
        finished.append(FinishedFetch(id, report))
    }
}
