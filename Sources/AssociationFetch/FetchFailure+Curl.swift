// SPDX-License-Identifier: Apache-2.0
internal import AutofillProtocol
internal import CCurl
internal import CCurlOptions

extension FetchFailure {
    /// The cause of a transfer that libcurl ended. Its texts may contain data of the site, and are not passed on.
    ///
    /// - Parameters:
    ///   - status: of a complete head.
    ///   - isConnected: whether the address had accepted the connection.
    ///   - hasAuthority: whether certificates were named that are trusted besides the system's.
    init(
        _ code: CURLcode, of transfer: UnsafeMutableRawPointer, status: Int?, isConnected: Bool, hasAuthority: Bool
    ) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self.init(.timedOut, status: status)
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_INTERFACE_FAILED: self.init(.notReached)
        case CURLE_PEER_FAILED_VERIFICATION:
            // With OpenSSL the chain is checked first: where that is valid, the status is still unset, or a name
            // mismatch.
            let verdict = af_curl_long(transfer, CURLINFO_SSL_VERIFYRESULT)
            self.init(Self.verdictsOfGoodChains.contains(verdict) ? .certificateNameWrong : .certificateInvalid)
        case CURLE_SSL_CACERT_BADFILE:
            let whose = hasAuthority ? "The test authority" : "The list of the system's certificate authorities"
            self.init(.tlsFailed, "\(whose) cannot be read")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
            self.init(.tlsFailed)
        default: self.init(.httpInvalid, status: status)
        }
        isOfAddress = !isConnected && [.notReached, .timedOut].contains(kind)
    }

    /// X509_V_OK, X509_V_ERR_UNSPECIFIED (libcurl's value before verification) and X509_V_ERR_HOSTNAME_MISMATCH.
    private static let verdictsOfGoodChains: Set<Int> = [0, 1, 62]
}
