// SPDX-License-Identifier: Apache-2.0
/// The statuses that the server answers with (RFC 9110).
package enum HTTPStatus: Int, Error, CaseIterable, Sendable {
    case done = 200
    case badRequest = 400
    case tokenRequired = 401
    case foreignOrigin = 403
    case notFound = 404
    case methodNotAllowed = 405
    case tooSlow = 408
    case bodyTooLarge = 413
    case wrongHost = 421
    case headTooLarge = 431
    case notSupported = 501

    /// The answer's text, for a reader without the page.
    package var message: String {
        switch self {
        case .done: "OK"
        case .badRequest: "The request is not valid"
        case .tokenRequired: "The token is missing or wrong"
        case .foreignOrigin: "The request is from another origin"
        case .notFound: "There is no such page"
        case .methodNotAllowed: "The method is not allowed here"
        case .tooSlow: "The request took too long"
        case .bodyTooLarge: "The body has more than \(PlaygroundLimits.bodyBytes) bytes"
        case .wrongHost: "The host is not the server's address"
        case .headTooLarge: "The header has more than \(PlaygroundLimits.headBytes) bytes"
        case .notSupported: "The version or the encoding is not supported"
        }
    }
}
