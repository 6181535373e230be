// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CCurl
internal import CCurlOptions

/// All options of libcurl, also against everything that it does by default and must not.
extension FileTransfer {
    func set(_ target: Target) throws(FetchFailure) {
        let (domain, port) = (target.domain.text, target.port ?? 443)
        let written = target.port.map { ":\($0)" } ?? ""
        try set(CURLOPT_URL, "https://\(domain)\(written)/.well-known/\(file.rawValue)")
        try set(CURLOPT_USERAGENT, "autofill-associations/\(ProductVersion.text)")
        try set(CURLOPT_HTTPHEADER, keep(["Accept: application/json"]))
        // Connected to without a name server; the certificate must still be the domain's.
        let host = target.address.bytes.count == 4 ? "\(target.address)" : "[\(target.address)]"
        try set(CURLOPT_CONNECT_TO, keep(["\(domain):\(port):\(host):\(port)"]))
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, target.connectMilliseconds))
        try set(CURLOPT_TIMEOUT_MS, max(1, target.milliseconds))
        // The directory of the system's authorities is used besides it, or instead of their file.
        if target.authority != nil || SystemAuthorities.areHashed { try set(CURLOPT_CAINFO, target.authority) }
        for (option, text) in Self.texts { try set(option, text) }
        for (option, number) in Self.numbers { try set(option, number) }
    }

    private static let texts: [(CURLoption, String)] = [
        (CURLOPT_PROTOCOLS_STR, "https"), (CURLOPT_REDIR_PROTOCOLS_STR, "https"),
        // No proxy, whatever the environment contains.
        (CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*"),
    ]

    // Cookies, HSTS, Alt-Svc, DNS over HTTPS and credentials are off by default.
    private static let numbers: [(CURLoption, Int64)] = [
        (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_AUTOREFERER, 0), (CURLOPT_NETRC, 0), (CURLOPT_HTTP09_ALLOWED, 0),
        (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_HTTP_VERSION, 2 /* CURL_HTTP_VERSION_1_1 */),
        (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, 6 /* TLS 1.2 or later */),
        // Nothing is kept for a later transfer: no connection, no session, no address.
        (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_FORBID_REUSE, 1), (CURLOPT_SSL_SESSIONID_CACHE, 0),
        (CURLOPT_DNS_CACHE_TIMEOUT, 0), (CURLOPT_NOSIGNAL, 1),
    ]

    private func set(_ option: CURLoption, _ text: String?) throws(FetchFailure) {
        try Self.check(af_curl_set_text(handle, option, text))
    }

    private func set(_ option: CURLoption, _ number: Int64) throws(FetchFailure) {
        try Self.check(af_curl_set_long(handle, option, Int(number)))
    }

    private func set(_ option: CURLoption, _ list: UnsafeMutablePointer<curl_slist>) throws(FetchFailure) {
        try Self.check(af_curl_set_list(handle, option, list))
    }

    /// An option that libcurl refuses is a guarantee that it does not keep.
    static func check(_ code: CURLcode) throws(FetchFailure) {
        guard code == CURLE_OK else { throw FetchFailure(.notReached, "libcurl refuses an option that is needed") }
    }
}
