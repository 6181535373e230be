// SPDX-License-Identifier: Apache-2.0
internal import SecretMemory

/// The page, which has no secret and is the same for everybody: style and script are in it, and run by a nonce alone.
enum PlaygroundPage {
    /// The page's bytes between the positions of the nonce.
    private static let pieces: [ArraySlice<UInt8>] = {
        let mark = Array("{nonce}".utf8)
        var rest = PackageResources.page_html[...]
        var pieces: [ArraySlice<UInt8>] = []
        while let found = rest.firstRange(of: mark) {
            pieces.append(rest[..<found.lowerBound])
            rest = rest[found.upperBound...]
        }
        return pieces + [rest]
    }()

    static func response() -> HTTPResponse {
        let entropy = SystemEntropy()
        let nonce = String(entropy.next(), radix: 36) + String(entropy.next(), radix: 36)
        return .page(
            Array(pieces.joined(separator: nonce.utf8)),
            policy: """
                default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; \
                img-src data:; require-trusted-types-for 'script'; trusted-types 'none'
                """)
    }
}
