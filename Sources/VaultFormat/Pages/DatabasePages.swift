// SPDX-License-Identifier: Apache-2.0
package import Credentials
internal import Glibc

/// The pages of a database file as they lie on the disk, with what its write-ahead log has of them, whatever the header and the
/// trees of the file are: for a file that SQLite no longer opens. See https://www.sqlite.org/fileformat2.html.
package final class DatabasePages {
    /// Of every vault, in bytes.
    static let size = 4096
    /// A longer file is none of a vault, 64 GiB: a sparse one of any length may be named.
    static let mostPages = 1 << 24
    /// What lies behind so many frames of the log is not read, 16 GiB.
    private static let mostFrames = 1 << 22
    private static let frameHeader = 24
    private static let logHeader = 32

    private let file: Int32
    /// -1 where there is no log.
    private let log: Int32
    /// Where the log has the newest of a page.
    private var inLog: [Int: Int] = [:]
    /// How many pages the file has, one included of which the end is missing.
    let inFile: Int
    /// How many there are by the file and by its log. The log may state any number; those that it does not have itself are zeros.
    private(set) var count: Int
    /// Whether the disk could not read something of what was asked for so far: it is taken for zeros.
    package private(set) var hasReadError = false

    package init(of path: String, _ progress: VaultProgress = VaultProgress()) throws(VaultError) {
        file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .system(errno, path: path) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw .failed(code: EINVAL)
        }
        guard status.st_size <= Self.mostPages * Self.size else {
            close(file)
            throw .notAVault(path: path)
        }
        inFile = (Int(status.st_size) + Self.size - 1) / Self.size
        count = inFile
        log = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if log < 0, errno != ENOENT { hasReadError = true }
        try readLog(progress)
    }

    deinit {
        close(file)
        if log >= 0 { close(log) }
    }

    /// A page, from number 1 on; zeros where there is none, and after the end of the file.
    package func page(_ number: Int) -> [UInt8] {
        if let offset = inLog[number] { return read(log, at: offset, Self.size) }
        return read(file, at: (number - 1) * Self.size, Self.size)
    }

    /// The numbers of the pages after the end of the file that the log has, in their order.
    var beyondFile: [Int] { inLog.keys.filter { $0 > inFile && $0 <= count }.sorted() }

    private func read(_ descriptor: Int32, at offset: Int, _ length: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        var filled = 0
        while filled < length {
            let got = bytes.withUnsafeMutableBytes { memory in
                pread(descriptor, memory.baseAddress.map { $0 + filled }, length - filled, off_t(offset + filled))
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 { hasReadError = true }
            guard got > 0 else { break }
            filled += got
        }
        return bytes
    }

    // MARK: - The log

    /// Finds the frames that are whole, up to the end of the last transaction. The check sum of each continues that of the one
    /// before it, as it is there: a damaged frame loses nothing but itself.
    private func readLog(_ progress: VaultProgress) throws(VaultError) {
        guard log >= 0 else { return }
        let header = read(log, at: 0, Self.logHeader)
        let magic = header.word(0)
        guard magic & ~1 == 0x377F_0682, header.word(8) == UInt32(Self.size) else { return }
        let isBigEndian = magic & 1 == 1
        var sum = LogSum(header.word(24), header.word(28))
        var waiting: [Int: Int] = [:]
        var offset = Self.logHeader
        var status = stat()
        guard fstat(log, &status) == 0 else { return }
        let frameLength = Self.frameHeader + Self.size
        let end = min(Int(status.st_size), Self.logHeader + Self.mostFrames * frameLength)
        while offset <= end - frameLength {
            try progress.checkStop()
            let frame = read(log, at: offset, frameLength)
            // After the last frame of this log there may be those of an earlier one.
            guard frame[8..<16] == header[16..<24] else { break }
            let written = LogSum(frame.word(16), frame.word(20))
            sum.add(frame[..<8], isBigEndian)
            sum.add(frame[Self.frameHeader...], isBigEndian)
            let number = Int(frame.word(0))
            if sum == written, number > 0 {
                waiting[number] = offset + Self.frameHeader
                if frame.word(4) != 0 {
                    inLog.merge(waiting) { $1 }
                    waiting = [:]
                    count = max(count, Int(frame.word(4)))
                }
            }
            sum = written
            offset += frameLength
        }
    }
}

/// The check sum of the write-ahead log.
private struct LogSum: Equatable {
    private var first: UInt32
    private var second: UInt32

    init(_ first: UInt32, _ second: UInt32) { (self.first, self.second) = (first, second) }

    /// Adds bytes, a multiple of 8 of them.
    mutating func add(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) {
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                let one = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let other = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
                second &+= (isBigEndian ? UInt32(bigEndian: other) : UInt32(littleEndian: other)) &+ first
            }
        }
    }
}

extension [UInt8] {
    /// A big-endian number of 32 bits.
    func word(_ offset: Int) -> UInt32 { self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }

    /// A big-endian number of 16 bits.
    func half(_ offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }
}
