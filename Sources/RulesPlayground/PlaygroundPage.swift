// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The page, which has no secret and is the same for everybody: style and script are in it, and run by a nonce alone.
enum PlaygroundPage {
    /// The page's bytes between the places of the nonce.
    private static let parts: [ArraySlice<UInt8>] = {
        let mark = Array("{nonce}".utf8)
        var rest = PackageResources.page_html[...]
        var parts: [ArraySlice<UInt8>] = []
        while let place = rest.firstRange(of: mark) {
            parts.append(rest[..<place.lowerBound])
            rest = rest[place.upperBound...]
        }
        return parts + [rest]
    }()

    static func response() -> HTTPResponse {
        let entropy = SystemEntropy()
        let nonce = String(entropy.next(), radix: 36) + String(entropy.next(), radix: 36)
        return .page(
            Array(parts.joined(separator: nonce.utf8)),
            policy: """
                default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
                img-src data:; require-trusted-types-for 'script'; trusted-types 'none'
                """)
    }
}
