// SPDX-License-Identifier: Apache-2.0
import AutofillProtocol
import Foundation

/// The requests that a program makes in a play: every method, about its own and about the others' places.
extension RandomPlay {
    mutating func one<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    /// A new secret or name, which the apps that reach the place may have.
    private mutating func text(_ actor: Int, _ apps: Set<String>) -> String {
        written.append(Treasure(owner: actor, apps: apps))
        return Self.text(written.count - 1)
    }

    /// One that a program received, this one or another.
    private mutating func id(_ prefix: String) -> String {
        let fitting = ids.filter { $0.hasPrefix(prefix) }
        return fitting.isEmpty ? prefix + String(repeating: "0", count: 32) : one(fitting)
    }

    /// A method, the apps that reach the place it is about, and its parameters.
    mutating func draw(for actor: Int) -> (Method, Set<String>, [String: Any]) {
        let common: [Method] = [
            .autofillSuggest, .autofillFill, .autofillFill, .autofillAccept, .autofillSubmit, .autofillConfirm,
            .credentialSave, .credentialSave, .credentialGet, .credentialGet, .credentialList, .codeSet, .codeGet,
            .codeOffer, .keychainSet, .keychainSet, .keychainGet, .keychainGet, .keychainSearch,
            .keychainSearch, .keychainRename,
            .verifierSet, .verifierExport, .signInStatus,
        ]
        var method = Int.random(in: 0..<4, using: &random) == 0 ? one(Method.allCases) : one(common)
        if [.verifierCheck, .signInStart].contains(method) {
            // Few: each costs a key derivation.
            derivations -= 1
            if derivations < 0 { method = .verifierExport }
        }
        let own = Self.actors[actor]
        let domain = Bool.random(using: &random) ? own.domain : one(Self.actors).domain
        let app = own.app ?? one(Self.actors.compactMap(\.app))
        let group = one([app, isolated.group ?? app, "org.example.Notes", "org.example.Tasks", "org.example.Script"])
        switch method {
        case .hello, .status, .requestCancel, .eventSubscribe, .signInStart, .signInEnd, .signInStatus:
            return (method, Set([own.app].compactMap(\.self)), ownParameters(method, actor))
        case .keychainSet, .keychainGet, .keychainRename, .keychainDelete, .keychainSearch, .verifierSet,
            .verifierCheck, .verifierDelete, .verifierExport:
            let apps: Set<String> = group == isolated.group ? ["org.example.Notes", "org.example.Tasks"] : [group]
            guard [.keychainSet, .keychainGet, .keychainRename, .keychainDelete].contains(method),
                one([true, false, false])
            else { return (method, apps, itemParameters(method, actor, group, apps)) }
            // An item by its id, of any owner.
            let item = id("itm_")
            let owners = made[item]?.apps ?? []
            var parameters = itemParameters(method, actor, group, owners)
            for name in ["place", "accessGroup", "replace"] { parameters[name] = nil }
            parameters["item"] = item
            return (method, owners, parameters)
        case .diagnose, .autofillSuggest, .autofillFill, .autofillAccept, .autofillDecline,
            .autofillSubmit, .autofillConfirm, .autofillWithdraw, .credentialSave, .credentialGet, .credentialList,
            .credentialDelete, .credentialRestore,
            .codeSet, .codeGet, .codeDelete, .codeExport, .codeOffer:
            return (method, Self.apps(of: domain), siteParameters(method, actor, domain))
        default: return (method, [], careParameters(method, domain))
        }
    }

    private mutating func ownParameters(_ method: Method, _ actor: Int) -> [String: Any] {
        let own = Set([Self.actors[actor].app].compactMap(\.self))
        return switch method {
        case .hello: ["bundleID": one(Self.actors.compactMap(\.app)), "protocol": ["min": 1, "max": 1]]
        case .requestCancel: ["id": 1]
        case .signInStart:
            ["name": text(actor, own), "place": ["account": text(actor, own)], "password": text(actor, own)]
        default: [:]
        }
    }

    private mutating func itemParameters(
        _ method: Method, _ actor: Int, _ group: String, _ apps: Set<String>
    ) -> [String: Any] {
        var place: [String: Any] = [
            "place": ["namespace": "login", "account": one(["ann", "bob"])], "accessGroup": group,
        ]
        switch method {
        case .keychainSet:
            place["data"] = ["base64": Data(text(actor, apps).utf8).base64EncodedString()]
            if one([true, false]) { place["label"] = text(actor, apps) }
            if one([true, false]) {
                place["attributes"] = ["kind": one(["a", "b"]), "note": text(actor, apps)]
                if one([true, false]) { place["place"] = nil }
            }
            if one([true, false, false]) { place["replace"] = true }
        case .keychainRename:
            place["newPlace"] = ["namespace": "login", "account": one(["ann", "bob", text(actor, apps)])]
        case .keychainSearch:
            if one([true, false, false]) {
                place["place"] = ["namespace": "login"]
                break
            }
            place["place"] = nil
            place["attributes"] = one([[:], ["kind": "a"], ["kind": "b"], ["service": "login"]])
            if one([true, false]) { place["accessGroup"] = nil }
        case .verifierCheck: place["password"] = text(actor, apps)
        case .verifierSet:
            derivations -= 1
            if derivations >= 0, one([true, false]) {
                place["password"] = text(actor, apps)
                break
            }
            let salt = Data(text(actor, apps).utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
            place["hash"] = "$scrypt$ln=14,r=8,p=1$\(salt)$aGFzaGhhc2hoYXNoaGFzaA"
        default: break
        }
        return place
    }

    private mutating func siteParameters(_ method: Method, _ actor: Int, _ domain: String) -> [String: Any] {
        let apps = Self.apps(of: domain)
        let user = one(["ann", "bob"] + (users["\(actor) \(domain)"] ?? []))
        let name = one(["form-1", "form-2", "form-3"])
        var fields: [[String: Any]] = [
            ["id": "u", "contentType": "username"], ["id": "n", "contentType": "newPassword", "secure": true],
            ["id": "c", "contentType": "oneTimeCode"],
        ]
        if Bool.random(using: &random) { fields[1] = ["id": "p", "contentType": "password", "secure": true] }
        var site: [String: Any] = ["service": ["type": "domain", "value": domain]]
        switch method {
        case .diagnose: site["form"] = ["fields": fields]
        case .autofillSuggest: site["form"] = ["id": name, "fields": fields] as [String: Any]
        case .autofillFill:
            if Int.random(in: 0..<4, using: &random) == 0 {
                return site.merging(["form": ["fields": fields]]) { $1 }
            }
            let (member, prefix) = one([("offer", "off_"), ("credential", "crd_"), ("codeID", "cod_")])
            return [member: id(prefix), "form": ["fields": fields]]
        case .autofillAccept:
            // A name that was made for the site whose offer it is.
            let offer = id("off_")
            let home = Self.apps.first { made[offer]?.apps == [$0.value] }?.key ?? domain
            let user = one(["ann", "bob"] + (users["\(actor) \(home)"] ?? []))
            return ["offer": offer].merging(one([["user": user], ["replaces": id("crd_")]])) { $1 }
        case .autofillDecline: return ["offer": id("off_")]
        case .autofillConfirm, .autofillWithdraw: return ["submission": id("sub_")]
        case .autofillSubmit, .credentialSave:
            var user = user
            if Bool.random(using: &random) {
                user = text(actor, apps)
                users["\(actor) \(domain)", default: []].append(user)
            }
            if method == .credentialSave {
                site.merge(["user": user, "password": text(actor, apps)]) { $1 }
                break
            }
            fields[0]["value"] = user
            fields[1]["value"] = text(actor, apps)
            site["form"] = ["id": name, "fields": fields] as [String: Any]
        case .credentialGet, .codeGet: if Bool.random(using: &random) { site["user"] = user }
        case .credentialList: site["limit"] = one([1, 100])
        case .credentialDelete, .credentialRestore: return ["credential": id("crd_")]
        case .codeSet:
            let kind = one(["hotp/\(text(actor, apps))?counter=0", "totp/\(text(actor, apps))?digits=8"])
            site.merge(["user": user, "uri": "otpauth://\(kind)&secret=GEZDGNBV"]) { $1 }
        // An app that receives codes learns nothing by offering them.
        case .codeOffer: site["code"] = text(actor, apps)
        default: site["user"] = user
        }
        return site
    }

    /// A request whose answer would reveal whether a user is saved for a domain.
    mutating func question(about domain: String) -> (Method, [String: Any]) {
        let (method, more): (Method, [String: Any]) = one([
            (.credentialSave, ["password": "guess", "ifVersion": "99"]), (.credentialGet, [:]), (.codeGet, [:]),
            (.codeDelete, [:]), (.codeSet, ["uri": "otpauth://totp/x?secret=GEZDGNBV"]),
        ])
        let site: [String: Any] = ["type": "domain", "value": domain]
        return (method, more.merging(["service": site, "interaction": one(["allow", "forbid"])]) { $1 })
    }

    /// Methods that require proof, or return nothing of anybody: without proof, and some with the wrong app's name.
    private mutating func careParameters(_ method: Method, _ domain: String) -> [String: Any] {
        let app = one(Self.actors.compactMap(\.app))
        return switch method {
        case .offerList: one([[:], ["state": "all"]])
        case .vaultRestore: ["path": "/nowhere"]
        case .slotAdd: ["passphrase": "correct horse battery"]
        case .importAdd: ["entries": [["record": "login", "user": "ann", "sites": [domain], "password": "p"]]]
        case .importCommit: ["conflicts": "newer"]
        case .exportBegin: one([[:], ["only": ["type": "domain", "value": domain]]])
        case .syncStart: ["location": ["type": "folder", "path": "/nowhere"], "name": "here"]
        case .syncJoin: ["location": ["type": "git", "url": "/nowhere"], "name": "here", "code": "0000-0000"]
        case .syncAdmit: ["device": String(repeating: "0", count: 32), "accept": one([true, false])]
        case .syncRemove: ["device": String(repeating: "0", count: 32)]
        case .syncRename: ["name": "office"]
        case .syncResume: ["counts": one(["others", "vault"]), "acceptMissing": one([true, false])]
        case .slotChange, .slotRemove: ["slot": 1]
        case .grantAllow, .grantDeny: ["bundleID": app, "service": ["type": "domain", "value": domain]]
        case .grantRevoke: ["grant": id("grt_")]
        case .domainGet, .domainRefresh, .domainApprove, .domainDeny: ["bundleID": app, "domain": domain]
        case .settingGet, .settingSet: ["setting": "autoFill", "value": true]
        default: [:]
        }
    }
}
