// SPDX-License-Identifier: Apache-2.0
internal import AssociatedDomains
internal import AutofillProtocol
internal import CCurl
internal import CCurlOptions
internal import Glibc

/// The transfer of one file of a site, over a connection of its own to one address.
///
/// libcurl holds its address: it is in the multi handle during its whole lifetime.
final class FileTransfer {
    /// The query that it is for.
    let id: FetchID
    let file: AssociationFile
    let handle: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    private let target: Target
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private var response = FileResponse()
    /// The error that was found here, before libcurl was made to end the transfer.
    private var refusal: FetchFailure?

    /// The address to fetch a file from, and the time limits.
    struct Target {
        let domain: DomainName
        let port: Int?
        let address: NetworkAddress
        /// A PEM file of certificates that are trusted besides the system's.
        let authority: String?
        /// The time limits of connecting, and of the whole transfer.
        let connectMilliseconds: Int64, milliseconds: Int64
    }

    /// Begins the transfer.
    init(
        of file: AssociationFile, for id: FetchID, at target: Target, in multi: UnsafeMutableRawPointer
    ) throws(FetchFailure) {
        guard let handle = curl_easy_init() else { throw FetchFailure(.notReached) }
        (self.id, self.file, self.handle, self.multi, self.target) = (id, file, handle, multi, target)
        try set(target)
        try setCallbacks()
        guard curl_multi_add_handle(multi, handle) == CURLM_OK else { throw FetchFailure(.notReached) }
    }

    deinit {
        // Neither minds a transfer that was never added.
        curl_multi_remove_handle(multi, handle)
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
    }

    /// The result of the transfer, after libcurl has ended it.
    func result(_ code: CURLcode) -> Result<SiteContent, FetchFailure> {
        if let refusal { return .failure(refusal) }
        let head = response.head
        guard code == CURLE_OK else {
            let isConnected = af_curl_microseconds(handle, CURLINFO_CONNECT_TIME_T) > 0
            return .failure(
                FetchFailure(
                    code, of: handle, status: head.status, isConnected: isConnected,
                    hasAuthority: target.authority != nil))
        }
        // A head that never ended.
        guard head.status != nil else { return .failure(FetchFailure(.httpInvalid)) }
        do throws(SiteAssociationError) {
            return .success(SiteContent(association: try file.association(in: response.body), seconds: head.seconds))
        } catch {
            return .failure(FetchFailure(error))
        }
    }

    /// Keeps a list until the transfer ends.
    func keep(_ texts: [String]) throws(FetchFailure) -> UnsafeMutablePointer<curl_slist> {
        var list: UnsafeMutablePointer<curl_slist>?
        for text in texts { list = curl_slist_append(list, text) ?? list }
        guard let list else { throw FetchFailure(.notReached) }
        lists.append(list)
        return list
    }
}

/// The callbacks of libcurl, on the thread that runs the multi handle.
extension FileTransfer {
    private func setCallbacks() throws(FetchFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PRIVATE] {
            try Self.check(af_curl_set_context(handle, option, context))
        }
        try Self.check(
            af_curl_set_take(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                FileTransfer.of(context)?.receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            })
        try Self.check(
            af_curl_set_take(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                FileTransfer.of(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            })
        try Self.check(
            af_curl_set_open_socket(handle) { context, purpose, address in
                guard purpose == CURLSOCKTYPE_IPCXN, let address else { return CURL_SOCKET_BAD }
                return FileTransfer.of(context)?.openSocket(to: address) ?? CURL_SOCKET_BAD
            })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> FileTransfer? {
        context.map { Unmanaged<FileTransfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Returns libcurl's value to continue, and 0 to stop.
    private func receiveLine(_ line: UnsafeRawBufferPointer) -> Int {
        do throws(FetchFailure) {
            try response.receiveLine(line)
            return line.count
        } catch {
            refusal = error
            return 0
        }
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        do throws(FetchFailure) {
            try response.receiveBody(bytes)
            return bytes.count
        } catch {
            refusal = error
            return 0
        }
    }

    /// A socket for the address that was checked, and for no other one.
    private func openSocket(to requested: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        let found = MemoryLayout<curl_sockaddr>.offset(of: \.addr).flatMap {
            NetworkAddress(socketAddress: UnsafeRawPointer(requested) + $0)
        }
        guard found == target.address else {
            refusal = FetchFailure(.addressNotPublic)
            return CURL_SOCKET_BAD
        }
        let kind = requested.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(requested.pointee.family, kind, requested.pointee.protocol)
    }
}
