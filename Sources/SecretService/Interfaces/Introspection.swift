// SPDX-License-Identifier: Apache-2.0

/// The objects' answers to `org.freedesktop.DBus.Introspectable`.
package enum Introspection {
    private static let head = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">

        """

    package static func text(of path: SecretPath) -> String {
        let own =
            switch path {
            case .service: service
            case .collection, .alias: collection
            case .item, .aliasItem: item
            case .session: interface(Interface.session, method("Close"))
            case .prompt:
                interface(
                    Interface.prompt,
                    method("Prompt", in: [("window_id", "s")]) + method("Dismiss")
                        + signal("Completed", [("dismissed", "b"), ("result", "v")]))
            }
        return whole(own)
    }

    /// The object that xdg-desktop-portal calls.
    static let portal = whole(
        interface(
            Interface.portal,
            method(
                "RetrieveSecret", in: [("handle", "o"), ("app_id", "s"), ("fd", "h"), ("options", "a{sv}")],
                out: [("response", "u"), ("results", "a{sv}")]) + property("version", "u")))

    static let request = whole(interface(Interface.request, method("Close")))

    private static func whole(_ own: String) -> String { "\(head)<node>\n\(own)\(common)</node>\n" }

    private static let service = interface(
        Interface.service,
        method("OpenSession", in: [("algorithm", "s"), ("input", "v")], out: [("output", "v"), ("result", "o")])
            + method(
                "CreateCollection", in: [("properties", "a{sv}"), ("alias", "s")],
                out: [("collection", "o"), ("prompt", "o")])
            + method("SearchItems", in: [("attributes", "a{ss}")], out: [("unlocked", "ao"), ("locked", "ao")])
            + method("Unlock", in: [("objects", "ao")], out: [("unlocked", "ao"), ("prompt", "o")])
            + method("Lock", in: [("objects", "ao")], out: [("locked", "ao"), ("prompt", "o")])
            + method("GetSecrets", in: [("items", "ao"), ("session", "o")], out: [("secrets", "a{o(oayays)}")])
            + method("ReadAlias", in: [("name", "s")], out: [("collection", "o")])
            + method("SetAlias", in: [("name", "s"), ("collection", "o")])
            + ["CollectionCreated", "CollectionDeleted", "CollectionChanged"].map { signal($0, [("collection", "o")]) }
            .joined() + property("Collections", "ao"))

    private static let collection = interface(
        Interface.collection,
        method("Delete", out: [("prompt", "o")])
            + method("SearchItems", in: [("attributes", "a{ss}")], out: [("results", "ao")])
            + method(
                "CreateItem", in: [("properties", "a{sv}"), ("secret", "(oayays)"), ("replace", "b")],
                out: [("item", "o"), ("prompt", "o")])
            + ["ItemCreated", "ItemDeleted", "ItemChanged"].map { signal($0, [("item", "o")]) }.joined()
            + property("Items", "ao") + property("Label", "s", isWritable: true) + property("Locked", "b")
            + property("Created", "t") + property("Modified", "t"))

    private static let item = interface(
        Interface.item,
        method("Delete", out: [("prompt", "o")])
            + method("GetSecret", in: [("session", "o")], out: [("secret", "(oayays)")])
            + method("SetSecret", in: [("secret", "(oayays)")]) + property("Locked", "b")
            + property("Attributes", "a{ss}", isWritable: true) + property("Label", "s", isWritable: true)
            + property("Created", "t") + property("Modified", "t"))

    private static let common =
        interface(
            Interface.properties,
            method("Get", in: [("interface", "s"), ("name", "s")], out: [("value", "v")])
                + method("GetAll", in: [("interface", "s")], out: [("properties", "a{sv}")])
                + method("Set", in: [("interface", "s"), ("name", "s"), ("value", "v")])
                + signal("PropertiesChanged", [("interface", "s"), ("changed", "a{sv}"), ("invalidated", "as")]))
        + interface(Interface.introspectable, method("Introspect", out: [("data", "s")]))

    private typealias Argument = (name: String, type: String)

    private static func interface(_ name: String, _ members: String) -> String {
        " <interface name=\"\(name)\">\n\(members) </interface>\n"
    }

    private static func method(_ name: String, in input: [Argument] = [], out: [Argument] = []) -> String {
        let arguments = input.map { argument($0, "in") } + out.map { argument($0, "out") }
        return "  <method name=\"\(name)\">\n\(arguments.joined())  </method>\n"
    }

    private static func signal(_ name: String, _ arguments: [Argument]) -> String {
        "  <signal name=\"\(name)\">\n\(arguments.map { argument($0, nil) }.joined())  </signal>\n"
    }

    private static func argument(_ argument: Argument, _ direction: String?) -> String {
        let attribute = direction.map { " direction=\"\($0)\"" } ?? ""
        return "   <arg name=\"\(argument.name)\" type=\"\(argument.type)\"\(attribute)/>\n"
    }

    private static func property(_ name: String, _ type: String, isWritable: Bool = false) -> String {
        "  <property name=\"\(name)\" type=\"\(type)\" access=\"\(isWritable ? "readwrite" : "read")\"/>\n"
    }
}
