// SPDX-License-Identifier: Apache-2.0
package import AutofillProtocol

/// Why a file was refused. It never has text of the file.
package struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    package let problem: Problem
    /// Where, in a file of text.
    package var position: TextPosition?

    package init(_ problem: Problem, at position: TextPosition? = nil) {
        self.problem = problem
        self.position = position
    }

    /// With the position of the byte that a scanner counted.
    package init(_ error: JSONError, in text: UnsafeRawBufferPointer) {
        self.init(.json(error.problem), at: TextPosition(of: error.offset, in: text))
    }

    package enum Problem: Error, Hashable, Sendable {
        // The file.
        case tooLarge(limit: Int), unreadable, empty, unrecognised, notText, containsNUL, truncated
        case builtWithout(String)
        case tooManyEntries(limit: Int)
        // CSV.
        case openQuote, quoteInField, textAfterQuote, tooManyColumns(limit: Int), fieldTooLong(limit: Int)
        case columnCount(found: Int, expected: Int), unknownHeader, repeatedColumn, missingColumn, notANumberedColumn
        // JSON.
        case json(JSONError.Problem)
        case unsupportedVersion, accountEncrypted, notRecords, incompleteRecords
        // Encrypted files and archives.
        case passwordMissing, keyFileMissing, wrongPassword, unsupportedCipher, unsupportedDerivation,
            derivationTooCostly
        case damaged, decompressedTooLarge(limit: Int), notAnExport
        // XML.
        case xml, entityDeclared, tooDeep(limit: Int), valueTooLong(limit: Int)
    }

    package var description: String {
        guard let position else { return problem.message }
        return "line \(position.line), column \(position.column): \(problem.message)"
    }
}

extension ConversionError.Problem {
    /// What is wrong, in one sentence without a full stop.
    package var message: String {
        switch self {
        case .tooLarge(let limit): "The file is larger than \(limit) bytes"
        case .unreadable: "The file cannot be read"
        case .empty: "The file is empty"
        case .unrecognised: "The file is of no format that this program reads"
        case .notText: "The file is not text in UTF-8 or UTF-16"
        case .containsNUL: "The text contains U+0000"
        case .truncated: "The file ends before its content does"
        case .builtWithout(let libraries): "This program was built without \(libraries), which this format needs"
        case .tooManyEntries(let limit): "The file has more than \(limit) entries"
        case .openQuote: "The quotation mark that begins here is not closed"
        case .quoteInField: "A quotation mark is inside a field that does not begin with one"
        case .textAfterQuote: "A separator or the end of the line must follow the closing quotation mark"
        case .tooManyColumns(let limit): "The line has more than \(limit) columns"
        case .fieldTooLong(let limit): "The field is longer than \(limit) bytes"
        case .columnCount(let found, let expected): "The line has \(found) columns, and the header has \(expected)"
        case .unknownHeader: "The columns are of no program that is recognised; name them"
        case .repeatedColumn: "Two columns have the same name"
        case .missingColumn: "The header has no column of the name that was given"
        case .notANumberedColumn: "The file has fewer columns than the number that was given"
        case .json(let problem): problem.message
        case .unsupportedVersion: "The file is of a version that this program does not read"
        case .accountEncrypted:
            "The file is encrypted with the key of its account; export it again, protected by a password"
        case .notRecords: "This is not a record that autofill-convert writes"
        case .incompleteRecords: "The records end before the last one, or their number is not the stated one"
        case .passwordMissing: "The file is encrypted: give its password, or the key file that opens it alone"
        case .keyFileMissing: "The file is encrypted with a key in another file, which was not given"
        case .wrongPassword: "The password or the key file is wrong, or the file is damaged"
        case .unsupportedCipher: "The file is encrypted with a cipher that this program does not have"
        case .unsupportedDerivation: "The key is derived in a way that this program does not have"
        case .derivationTooCostly: "Deriving the key needs more memory or time than this program may use"
        case .damaged: "The file is damaged"
        case .decompressedTooLarge(let limit): "The file has more than \(limit) bytes when it is decompressed"
        case .notAnExport: "The archive has no file of an export that this program reads"
        case .xml: "This is not well-formed XML"
        case .entityDeclared: "The XML declares a document type or an entity, which is not allowed"
        case .tooDeep(let limit): "The XML is nested deeper than \(limit) levels"
        case .valueTooLong(let limit): "A value is longer than \(limit) bytes"
        }
    }
}
