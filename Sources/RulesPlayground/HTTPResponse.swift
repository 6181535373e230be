// SPDX-License-Identifier: Apache-2.0
/// An answer. Its connection ends with it.
struct HTTPResponse {
    let status: HTTPStatus
    let type: String
    let body: [UInt8]
    /// What a page may load and run.
    let policy: String

    private init(_ status: HTTPStatus, _ type: String, _ body: [UInt8], policy: String = "default-src 'none'") {
        (self.status, self.type, self.body, self.policy) = (status, type, body, policy)
    }

    static func page(_ body: [UInt8], policy: String) -> HTTPResponse {
        HTTPResponse(.done, "text/html; charset=utf-8", body, policy: policy)
    }

    static func json(_ body: [UInt8]) -> HTTPResponse { HTTPResponse(.done, "application/json", body) }

    static func text(_ body: [UInt8]) -> HTTPResponse { HTTPResponse(.done, "text/plain; charset=utf-8", body) }

    static func refusal(_ status: HTTPStatus) -> HTTPResponse {
        HTTPResponse(status, "text/plain; charset=utf-8", Array((status.message + ".\n").utf8))
    }

    var bytes: [UInt8] {
        let head = """
            HTTP/1.1 \(status.rawValue) \(status.message)
            Content-Type: \(type)
            Content-Length: \(body.count)
            Content-Security-Policy: \(policy); base-uri 'none'; form-action 'none'; frame-ancestors 'none'
            Cross-Origin-Opener-Policy: same-origin
            Cross-Origin-Resource-Policy: same-origin
            X-Content-Type-Options: nosniff
            Referrer-Policy: no-referrer
            Cache-Control: no-store
            Connection: close


            """
        return Array(head.replacing("\n", with: "\r\n").utf8) + body
    }
}
