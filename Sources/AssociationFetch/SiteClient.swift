// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AsyncHTTPClient
internal import AutofillProtocol
internal import NIOCore
internal import NIOHTTP1

/// Reads the files of one site, over connections to one address of it.
struct SiteClient: Sendable {
    let client: HTTPClient
    let domain: String
    let port: Int?
    let deadline: ContinuousClock.Instant

    /// A file that was read, and how long the site lets it be used.
    struct Content: Sendable {
        let association: SiteAssociation
        let seconds: Int
    }

    struct Reading: Sendable {
        let file: AssociationFile
        let result: Result<Content, FetchFailure>
    }

    func read(_ file: AssociationFile) async -> Reading {
        do {
            let content = try await Deadline.run(until: deadline) { try await fetch(file) }
            return Reading(file: file, result: .success(content))
        } catch {
            return Reading(file: file, result: .failure(FetchFailure(error)))
        }
    }

    private func fetch(_ file: AssociationFile) async throws -> Content {
        let place = port.map { ":\($0)" } ?? ""
        var request = HTTPClientRequest(url: "https://\(domain)\(place)/.well-known/\(file.rawValue)")
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "autofill-associations/\(ProductVersion.text)")
        let left = ContinuousClock.now.duration(to: deadline) / .nanoseconds(1)
        let response = try await client.execute(request, timeout: .nanoseconds(Int64(left)))
        let status = Int(response.status.code)
        switch status {
        case 200: break
        case 300..<400: throw FetchFailure(.redirected, status: status)
        default: throw FetchFailure(.status, status: status, "HTTP status \(status)")
        }
        let body: ByteBuffer
        do {
            body = try await response.body.collect(upTo: Limits.associationBytes)
        } catch {
            let failure = FetchFailure(error)
            throw FetchFailure(failure.kind, status: status, failure.detail)
        }
        do throws(SiteAssociationError) {
            let association = try file.association(in: Array(body.readableBytesView))
            return Content(association: association, seconds: Self.seconds(response.headers))
        } catch {
            throw FetchFailure(error)
        }
    }

    /// `max-age` of Cache-Control (RFC 9111, 5.2.2.1), within bounds.
    static func seconds(_ headers: HTTPHeaders) -> Int {
        let directives = headers[canonicalForm: "Cache-Control"].map { $0.lowercased() }
        let ages = directives.compactMap { directive in
            directive.hasPrefix("max-age=") ? Int(directive.dropFirst(8)) : nil
        }
        guard let age = ages.first else { return Limits.associationDefaultSeconds }
        let bounds = Limits.associationSeconds
        return min(max(age, bounds.lowerBound), bounds.upperBound)
    }
}

extension AssociationReport {
    /// No file could be asked for.
    init(_ query: AssociationQuery, failure: FetchFailure) {
        self.init(query, reading: AssociationFile.allCases.map { .init(file: $0, result: .failure(failure)) })
    }

    init(_ query: AssociationQuery, reading: [SiteClient.Reading]) {
        let seconds = reading.compactMap { try? $0.result.get().seconds }
        self.init(
            domain: query.domain, mode: query.mode, validSeconds: seconds.min() ?? 0,
            files: reading.map(AssociationFileReport.init))
    }
}

extension AssociationFileReport {
    fileprivate init(_ reading: SiteClient.Reading) {
        switch reading.result {
        case .success(let content):
            let malformed = content.association.malformed
            self.init(
                file: reading.file.rawValue, status: 200, failure: nil,
                detail: malformed == 0 ? nil : "\(malformed) entries for Linux name no bundle ID",
                apps: content.association.apps.map(\.text))
        case .failure(let failure):
            self.init(
                file: reading.file.rawValue, status: failure.status, failure: failure.kind, detail: failure.detail,
                apps: [])
        }
    }
}
