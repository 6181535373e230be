// SPDX-License-Identifier: Apache-2.0

/// A malformed message. Its text never contains input, except the names of members.
package struct ProtocolProblem: Error, Hashable, Sendable {
    /// What is wrong; the raw value is the `reason` on the wire.
    package enum Kind: String, CaseIterable, Sendable {
        case notJSON = "not-json"
        case jsonNotTaken = "json-not-taken"
        case lineTooLong = "line-too-long"
        case notAnObject = "not-an-object"
        case batchRefused = "batch-refused"
        case versionMissing = "version-missing"
        case idMissing = "id-missing"
        case idInvalid = "id-invalid"
        case idInUse = "id-in-use"
        case methodMissing = "method-missing"
        case methodUnknown = "method-unknown"
        case helloRequired = "hello-required"
        case helloRepeated = "hello-repeated"
        case protocolUnsupported = "protocol-unsupported"
        case parametersNotAnObject = "parameters-not-an-object"
        case parameterMissing = "parameter-missing"
        case parameterInvalid = "parameter-invalid"
        case parameterUnknown = "parameter-unknown"
    }

    package let kind: Kind
    /// The member's path, `fields[0].id`, if it concerns one.
    package let member: String?
    /// What is expected there, or the position of the error in the line.
    package let detail: String?
    /// The fix, if the kind's own sentence is not specific enough; a sentence.
    private let detailedFix: String?

    package init(_ kind: Kind, member: String? = nil, detail: String? = nil, fix: String? = nil) {
        self.kind = kind
        self.member = member
        self.detail = detail
        detailedFix = fix
    }

    /// The error code of JSON-RPC 2.0, section 5.1.
    package var code: Int {
        switch kind {
        case .notJSON: -32700
        case .methodUnknown: -32601
        case .parametersNotAnObject, .parameterMissing, .parameterInvalid, .parameterUnknown, .protocolUnsupported:
            -32602
        default: -32600
        }
    }

    /// What is wrong, the same for every message.
    package var message: String {
        switch kind {
        case .notJSON: "The line is not JSON"
        case .jsonNotTaken: "The line is JSON of a kind that is not accepted"
        case .lineTooLong: "The line is too long"
        case .notAnObject: "The line is not an object"
        case .batchRefused: "Batches are not accepted"
        case .versionMissing: "\"jsonrpc\" is not \"2.0\""
        case .idMissing: "The request has no id"
        case .idInvalid: "The id is not a string of 1 to \(Limits.idBytes) bytes or an integer"
        case .idInUse: "A request with this id still waits"
        case .methodMissing: "The request has no method"
        case .methodUnknown: "There is no such method"
        case .helloRequired: "The first request is not hello"
        case .helloRepeated: "hello was sent before on this connection"
        case .protocolUnsupported: "No version of the protocol in common"
        case .parametersNotAnObject: "\"params\" is not an object"
        case .parameterMissing: "A parameter is missing"
        case .parameterInvalid: "A parameter is not as it should be"
        case .parameterUnknown: "A parameter is unknown"
        }
    }

    /// The fix, a sentence. Like all fixes it ends without a full stop, since many end with a command.
    package var fix: String { detailedFix ?? ownFix }

    private var ownFix: String {
        switch kind {
        case .notJSON: "Send one JSON object (RFC 8259, UTF-8) a line"
        case .jsonNotTaken:
            "Send no member twice, no lone surrogate, no \\u0000, and at most \(Limits.depth) levels of arrays and objects"
        case .lineTooLong: "Send at most \(Limits.lineBytes) bytes a line"
        case .notAnObject: "Send {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"hello\", \"params\": {…}}"
        case .batchRefused: "Send each request in a line of its own"
        case .versionMissing: "Add \"jsonrpc\": \"2.0\""
        case .idMissing: "Add an id; only request.cancel may go without"
        case .idInvalid: "Send a string of 1 to \(Limits.idBytes) bytes or an integer"
        case .idInUse: "Give each request an id of its own"
        case .methodMissing: "Add \"method\""
        case .methodUnknown: "Send one of the methods that rpc.discover lists"
        case .helloRequired: "Send hello first"
        case .helloRepeated: "Open another connection for another app"
        case .protocolUnsupported:
            "Offer version \(Limits.protocolVersions.upperBound) in protocol {\"min\": …, \"max\": …}"
        case .parametersNotAnObject: "Send \"params\" as an object"
        case .parameterMissing: "Add \"\(member ?? "MEMBER")\": \(detail ?? "WHAT IS EXPECTED")"
        case .parameterInvalid: "Send \"\(member ?? "MEMBER")\" as \(detail ?? "WHAT IS EXPECTED")"
        case .parameterUnknown: "Leave \"\(member ?? "MEMBER")\" out, or say hello without strict"
        }
    }
}
