// SPDX-License-Identifier: Apache-2.0
internal import CForeignLibraries

/// Receives the elements of an XML file.
protocol XMLHandler: AnyObject {
    /// Why reading stops.
    var failure: ConversionError? { get set }
    func start(_ name: String, _ attributes: [String: String])
    func end(_ name: String)
    func text(_ bytes: UnsafeRawBufferPointer)
}

/// Reads XML without document types and entities.
enum XMLReader {
    private final class Box {
        let handler: any XMLHandler
        var depth = 0

        init(_ handler: any XMLHandler) { self.handler = handler }
    }

    static func read(_ text: UnsafeRawBufferPointer, _ handler: any XMLHandler) throws(ConversionError) {
        let box = Box(handler)
        var (line, column) = (0, 0)
        let result = withExtendedLifetime(box) {
            var handlers = af_xml_handlers(
                context: Unmanaged.passUnretained(box).toOpaque(),
                start: { context, name, attributes in
                    guard let box = XMLReader.box(context), let name else { return false }
                    box.depth += 1
                    guard box.depth <= ConversionLimits.depth else {
                        box.handler.failure = ConversionError(.tooDeep(limit: ConversionLimits.depth))
                        return false
                    }
                    var values: [String: String] = [:]
                    var next = attributes
                    while let pair = next, let key = pair[0], let value = pair[1] {
                        values[String(cString: key)] = String(cString: value)
                        next = pair + 2
                    }
                    box.handler.start(String(cString: name), values)
                    return box.handler.failure == nil
                },
                end: { context, name in
                    guard let box = XMLReader.box(context), let name else { return false }
                    box.depth -= 1
                    box.handler.end(String(cString: name))
                    return box.handler.failure == nil
                },
                text: { context, bytes, count in
                    guard let box = XMLReader.box(context) else { return false }
                    box.handler.text(UnsafeRawBufferPointer(start: bytes, count: count))
                    return box.handler.failure == nil
                })
            return af_xml_parse(text.baseAddress, text.count, &handlers, &line, &column)
        }
        let position = TextPosition(line: line, column: column)
        switch result {
        case AF_XML_READ: return
        case AF_XML_ENTITY: throw ConversionError(.entityDeclared, at: position)
        case AF_XML_STOPPED: throw ConversionError(handler.failure?.problem ?? .xml, at: position)
        default: throw ConversionError(.xml, at: position)
        }
    }

    private static func box(_ context: UnsafeMutableRawPointer?) -> Box? {
        context.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
    }
}
