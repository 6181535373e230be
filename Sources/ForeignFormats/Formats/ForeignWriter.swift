// SPDX-License-Identifier: Apache-2.0

/// Writes entries into one file of a format.
protocol ForeignWriter: AnyObject {
    func begin() throws(ConversionError)
    /// Calls `missing` for what of the entry the format has no place for. `record` is its line, valid until the end.
    func add(
        _ entry: ForeignEntry, _ record: UnsafeRawBufferPointer, _ missing: (NotConverted.What) -> Void
    ) throws(ConversionError)
    func end() throws(ConversionError)
}
