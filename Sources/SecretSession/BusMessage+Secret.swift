// SPDX-License-Identifier: Apache-2.0
package import SecretMemory
package import Systemd

/// What both sides of the Secret Service API write.
extension BusMessage {
    /// A secret, `(oayays)`: session, parameters, value, content type.
    ///
    /// - Parameter session: the path of the cipher's session.
    package func append(
        _ secret: SecretBytes, contentType: String, session: String, _ cipher: SessionCipher
    ) throws(BusError) {
        guard let sealed = cipher.sealed(secret) else {
            throw BusError(name: "org.freedesktop.DBus.Error.Failed", text: "The secret could not be sealed")
        }
        try write("r", of: "oayays") { () throws(BusError) in
            try append(session, type: "o")
            try append(bytes: sealed.parameters)
            try append(bytes: sealed.value)
            try append(contentType)
        }
    }

    private func append(bytes: SecretBytes) throws(BusError) {
        try bytes.withUnsafeBytes { (bytes) throws(BusError) in try append(bytes) }
    }
}
