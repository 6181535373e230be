// SPDX-License-Identifier: Apache-2.0

/// The errors of answers, in the components of the schema.
enum OpenRPCError: String, CaseIterable {
    case refused, cancelled, notJSON, invalidRequest, methodNotFound, invalidParameters

    /// The objects of their `data`.
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
        case .cancelled: "The request was cancelled"
        case .notJSON: "The line is not JSON"
        case .invalidRequest: "The line is no request"
        case .methodNotFound: "There is no such method"
        case .invalidParameters: "A parameter is not as it should be"
        }
    }

    /// Whether an existing method can be answered with it.
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
