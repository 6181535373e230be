// SPDX-License-Identifier: Apache-2.0

/// What is stored of one record: its elements, and the marks that cancel elements.
package struct SyncRecord: Sendable, Equatable {
    /// The oldest first.
    package private(set) var elements: [Element] = []
    /// The elements that a deletion had seen, and the files that state it.
    package private(set) var dead: [Mark: Set<FileOrigin>] = [:]
    /// The elements that are dropped for good, and the files that state it.
    package private(set) var gone: [Mark: Set<FileOrigin>] = [:]

    package init() {}

    /// Whether it has an element, of any kind, that no deletion had seen: whatever is new revives a record.
    package var isAlive: Bool { elements.reversed().contains { dead[$0.mark] == nil } }

    package var isEmpty: Bool { elements.isEmpty && dead.isEmpty && gone.isEmpty }

    /// The elements of some kinds, the oldest first.
    package func elements(of kinds: ElementKind...) -> [Element] { elements.filter { kinds.contains($0.kind) } }

    /// Its sites, each with its user. Where a purge elsewhere took these fields, those of the newest password.
    package var logins: [Login] {
        var sites: [String] = [], user: String?, last: (site: String, user: String)?
        for element in elements {
            switch element.value {
            case .site(let site): if !sites.contains(site) { sites.append(site) }
            case .user(let name): user = name
            case .password(_, let site, let user): last = (site, user)
            case .code, .field, .unknown: break
            }
        }
        if sites.isEmpty, let site = last?.site { sites = [site] }
        return if let user = user ?? last?.user { sites.sorted().map { Login(site: $0, user: user) } } else { [] }
    }

    /// Adds an element; false where it is there already, or was dropped.
    mutating func insert(_ element: Element) -> Bool {
        guard gone[element.mark] == nil else { return false }
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if elements[middle] < element { low = middle + 1 } else { high = middle }
        }
        if low < elements.count, elements[low] == element { return false }
        elements.insert(element, at: low)
        return true
    }

    mutating func insertDead(_ mark: Mark, by origin: FileOrigin) -> Bool {
        dead[mark, default: []].insert(origin).inserted
    }

    mutating func insertGone(_ mark: Mark, by origin: FileOrigin) -> Bool {
        if gone[mark] == nil { elements.removeAll { $0.mark == mark } }
        return gone[mark, default: []].insert(origin).inserted
    }

    /// Drops what does not count; false where all of it does.
    mutating func keep(_ counts: (FileOrigin) -> Bool) -> Bool {
        let before = self
        elements.removeAll { !counts($0.stamp.origin) }
        dead = dead.mapValues { $0.filter(counts) }.filter { !$0.value.isEmpty }
        gone = gone.mapValues { $0.filter(counts) }.filter { !$0.value.isEmpty }
        return self != before
    }
}
