// SPDX-License-Identifier: Apache-2.0
internal import CCurl
internal import CCurlOptions
internal import Glibc

/// The certificate authorities that the distribution trusts, which it keeps twice: as one file, and as a directory in
/// which each is found by its hash (openssl-rehash(1)). Reading the file costs 40 ms for each connection.
enum SystemAuthorities {
    /// Whether libcurl finds them in its default directory, so that it need not read the file too.
    static let areHashed = directory.map(hasHashes) ?? false

    private static var directory: String? {
        guard let transfer = curl_easy_init() else { return nil }
        defer { curl_easy_cleanup(transfer) }
        return af_curl_text(transfer, CURLINFO_CAPATH).map { String(cString: $0) }
    }

    /// Whether there is a name such as `5ed36f99.0`.
    private static func hasHashes(_ directory: String) -> Bool {
        guard let open = opendir(directory) else { return false }
        defer { closedir(open) }
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let digits = name.prefix { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }.count
            if digits == 8, name.dropFirst(8) == [UInt8(ascii: "."), UInt8(ascii: "0")] { return true }
        }
        return false
    }
}
