// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Indonesian and Malay.
    static let indonesian = LanguageWords([
        .password: "kata laluan, *kata sandi*, sandi",
        .oneTimeCode: """
        kata sandi sekali pakai, kod keselamatan, kod pengesahan, kode keamanan, kode konfirmasi, kode otp, \
        kode sms, kode verifikasi
        """,
        .email: "alamat email, alamat surel, emel, surel",
        .phone: """
        handphone, no handphone, no hp, no telp, no wa, nomor handphone, nomor hp, nomor ponsel, nomor telepon, \
        nomor wa, nomor whatsapp, ponsel, *telepon*, telp
        """,
        .search: "cari, carian, pencarian",
        .captcha: "ketik karakter, kode gambar",
        .username: "nama akun, *namapengguna*, *pengguna*",
        .alias: "id pelanggan, nama panggilan, nama samaran, nik, nomor anggota, nomor induk, nomor pelanggan",
        .account: "akaun, akun, anggota, pelanggan",
        .code: "kode aktivasi",
        .payment: "kartu kredit, masa berlaku, nombor kad, nomor kartu, nomor rekening, pemegang kartu",
        .personName: "nama anda, nama belakang, nama depan, nama keluarga, nama lengkap, nama penuh",
        .bareName: "=nama",
        .birthday: "=bulan, lahir, =tahun, =tanggal, tanggal lahir, tarikh lahir, tgl lahir, umur",
        .organization: "instansi, jabatan, pekerjaan, perusahaan, syarikat",
        .address: "bandar, jalan, kabupaten, kecamatan, kelurahan, kode pos, kota, negara, poskod, provinsi",
        .bareAddress: "alamat",
        .securityAnswer: "jawaban, pertanyaan keamanan, pertanyaan rahasia",
        .matter: """
        catatan, jenis kelamin, jumlah, kode promo, kode referral, kode undangan, kode voucher, \
        nomor pesanan, pesan, subjek
        """,
        .new: "baharu, baru, buat, pilih",
        .current: "lama, saat ini, sekarang, semasa",
        .confirmation: """
        ketik ulang, konfirmasi, masukkan kembali, masukkan lagi, pengesahan, sahkan, ulang, ulangi
        """,
        .strength: "minimal, paling sedikit, sekurang kurangnya, setidaknya",
        .signUp: "akun baru, bergabung, buat akun, daftar, mendaftar, pendaftaran, registrasi",
        .signIn: "log masuk, masuk",
        .remember: "ingat, ingat saya, ingatkan saya, tetap masuk",
        .terms: "kebijakan, ketentuan, setuju, syarat",
        .passwordChange: """
        atur ulang kata sandi, ganti kata sandi, kata sandi baru, reset kata sandi, ubah kata sandi, \
        ubah password
        """,
        .lost: "lupa",
        .aside: "bukan, sudah punya akun",
    ])
}
