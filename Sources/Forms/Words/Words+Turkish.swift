// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Turkish and Azerbaijani.
    static let turkish = LanguageWords([
        .password: "*parola*, parolanız, *şifre*, şifreniz, şifrə*",
        .oneTimeCode: """
        *doğrulama kodu*, doğrulama şifresi, *doğrulamakod*, güvenlik kodu, onay kodu, sms kodu, \
        tek kullanımlık*, tek kullanımlık şifre, təsdiqləmə kodu
        """,
        .email: "elektron poçt, *eposta*",
        .phone: "cep, mobil nömrə",
        .search: "arama",
        .captcha: "görseldeki, güvenlik resmi, resimdeki",
        .trap: "boş bırakın, doldurmayın",
        .username: "istifadəçi*, *kullanıcı*, kullanıcı adı, üye adı",
        .alias: """
        *kimlik no*, kimlik numarası, müşteri no, müşteri numarası, rumuz, sicil no, takma ad, tc no, tckn, \
        öğrenci no, üye numarası
        """,
        .account: "hesap, müşteri, üye",
        .code: "aktivasyon kodu, kodu",
        .payment: """
        hesap numarası, kart no, kart numarası, kart sahibi, kart üzerindeki isim, kredi kartı, \
        son kullanma tarihi
        """,
        .personName: """
        ad soyad, adı soyadı, adınız, adınız soyadınız, isim, isim soyisim, soyad, soyadı, soyadınız, \
        soyisim, tam ad
        """,
        .bareName: "=ad, =adı",
        .birthday: "=ay, doğum*, =gün, yaş, =yıl",
        .organization: "kurum, meslek, unvan, şirket",
        .address: "cadde, ilçe, mahalle, posta kodu, semt, sokak, ülke, şehir",
        .bareAddress: "adres*",
        .securityAnswer: "cevap, gizli soru, güvenlik sorusu, yanıt",
        .matter: """
        cinsiyet, davet kodu, indirim kodu, kampanya kodu, konu, miktar, promosyon kodu, sipariş numarası, \
        tutar, yorum
        """,
        .new: "belirle*, oluştur*, yeni",
        .current: "eski, geçerli, *mevcut*, şimdiki",
        .confirmation: "doğrula, onayla*, *tekrar*, tekrarı, yeniden",
        .strength: "en az, karakter uzunluğunda",
        .signUp: """
        hesap oluştur*, kaydol*, *kayıt*, kayıt ol*, qeydiyyat*, yeni hesap, yeni üye, üye ol*, üyelik
        """,
        .signIn: "daxil ol*, giriş*, oturum aç*",
        .remember: "beni hatırla, *hatırla*, oturumu açık tut, oturumum açık kalsın",
        .terms: "kabul ediyorum, koşul*, kvkk, onaylıyorum, sözleşme*",
        .passwordChange: """
        parola değiştir*, yeni parola, yeni şifre, şifre değiştir*, şifre sıfırla*, şifre yenile*
        """,
        .lost: "unuttu*",
        .aside: "değil, zaten üye",
    ])
}
