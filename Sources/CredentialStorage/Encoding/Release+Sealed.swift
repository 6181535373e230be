// SPDX-License-Identifier: Apache-2.0
internal import Credentials

/// The plain text of an entry of the release log.
extension Release {
    /// The first byte of the plain text.
    static let format: UInt8 = 1

    /// `previous` is the tag of the entry before it: the link of the chain.
    func write(to writer: inout BinaryWriter, after previous: SealTag) {
        writer.put(Self.format)
        writer.put(previous)
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
    }

    /// Reads the link into `previous`.
    init(from reader: inout BinaryReader, after previous: inout SealTag) {
        let format: UInt8 = reader.integer()
        if format != Self.format { reader.fail(()) }
        previous = reader.tag()
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
        self.init(
            time: time, app: app, assurance: assurance, processID: processID, executable: executable, unit: unit,
            method: method, service: service, object: object, grant: grant, refused: reader.optionalText())
    }
}
