// SPDX-License-Identifier: Apache-2.0

/// The errors that a request can be answered with, in the components of the schema.
enum OpenRPCError: String, CaseIterable {
    case refused, cancelled, notJSON, invalidRequest, methodNotFound, invalidParameters

    /// What their `data` is.
    static var data: [ObjectSchema] { [RefusalReport.schema()] }

    private var code: Int {
        switch self {
        case .refused: JSONWriter.refusalCode
        case .cancelled: JSONWriter.cancelledCode
        case .notJSON: ProtocolProblem(.notJSON).code
        case .invalidRequest: ProtocolProblem(.notAnObject).code
        case .methodNotFound: ProtocolProblem(.methodUnknown).code
        case .invalidParameters: ProtocolProblem(.parameterInvalid).code
        }
    }

    private var message: String {
        switch self {
        case .refused: "It is not permitted, or not possible now; every reason is in the data"
        case .cancelled: "It was taken back"
        case .notJSON: "The line is not JSON"
        case .invalidRequest: "The line is no request"
        case .methodNotFound: "There is no such method"
        case .invalidParameters: "A parameter is not as it should be"
        }
    }

    /// Whether a method that is there can be answered with it.
    var concernsMethods: Bool {
        switch self {
        case .refused, .cancelled, .invalidRequest, .invalidParameters: true
        case .notJSON, .methodNotFound: false
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code)
            writer.member("message", message)
            writer.key("data")
            writer.schema(.object(RefusalReport.schema()), isNullable: false)
        }
    }
}
