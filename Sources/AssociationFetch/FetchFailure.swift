// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AsyncHTTPClient
internal import AutofillProtocol
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Why a file was not read.
struct FetchFailure: Error, Hashable {
    let kind: AssociationFailure
    let status: Int?
    let detail: String

    init(_ kind: AssociationFailure, status: Int? = nil, _ detail: String? = nil) {
        self.kind = kind
        self.status = status
        self.detail = detail ?? kind.meaning
    }

    init(_ error: SiteAssociationError) {
        let isSyntax = if case .notJSON = error { true } else { false }
        self.init(isSyntax ? .notJSON : .notAnAssociation, status: 200, "\(error.reason) \(error.fix)")
    }

    /// What the HTTP client threw. Its own texts may hold what the site sent, and are not passed on.
    init(_ error: any Error) {
        switch error {
        case let failure as FetchFailure: self = failure
        case is NIOTooManyBytesError: self.init(.tooLarge, status: 200)
        case is CancellationError: self.init(.timedOut)
        case let error as HTTPClientError where Self.timeouts.contains(error): self.init(.timedOut)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: self.init(.certificateNameWrong)
        case NIOSSLError.handshakeFailed(let reason):
            let isCertificate = "\(reason)".contains("CERTIFICATE_VERIFY_FAILED")
            self.init(isCertificate ? .certificateInvalid : .tlsFailed)
        case is NIOSSLError, is BoringSSLError: self.init(.tlsFailed)
        case is NIOConnectionError, is IOError, is ChannelError: self.init(.notReached)
        default: self.init(.httpInvalid)
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout, .deadlineExceeded, .cancelled,
        .getConnectionFromPoolTimeout,
    ]
}
