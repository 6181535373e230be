// SPDX-License-Identifier: Apache-2.0
package import Credentials

/// The plain text of an entry of the release log.
extension Release {
    package func write(to writer: inout BinaryWriter, after link: ReleaseLink) {
        link.write(to: &writer)
        writer.put(time)
        writer.put(app)
        writer.put(assurance)
        writer.put(processID)
        writer.put(executable)
        writer.put(unit)
        writer.put(method)
        writer.put(service != nil)
        if let service { writer.put(service) }
        writer.put(object)
        writer.put(grant)
        writer.put(refused)
        if evidence != nil { writer.put(evidence) }
    }

    /// Reads what follows the link.
    init(from reader: inout BinaryReader) {
        let time = reader.time()
        let app = reader.text()
        let assurance = reader.text()
        let processID: Int32 = reader.integer()
        let executable = reader.text()
        let unit = reader.optionalText()
        let method = reader.text()
        let service = reader.flag() ? reader.service() : nil
        let object = reader.id()
        let grant = reader.id()
        let refused = reader.optionalText()
        self.init(
            time: time, app: app, assurance: assurance, processID: processID, executable: executable, unit: unit,
            method: method, service: service, object: object, grant: grant, refused: refused,
            evidence: reader.isAtEnd ? nil : reader.optionalText())
    }
}
