// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    /// A sign-up in each of the web's biggest languages but English, with its words only: words that are not recognised
    /// leave the three fields of text without a role.
    static let languages: [WrittenForm] = [
        language("Arabic", "البريد الإلكتروني", "كلمة المرور", "تأكيد كلمة المرور"),
        language("Bulgarian", "Потребителско име", "Парола", "Потвърдете паролата"),
        language("Catalan", "Nom d'usuari", "Contrasenya", "Repetiu la contrasenya"),
        language("Chinese, simplified", "用户名", "密码", "再次输入密码"),
        language("Chinese, traditional", "使用者名稱", "密碼", "請再次輸入密碼"),
        language("Croatian", "Korisničko ime", "Lozinka", "Ponovi lozinku"),
        language("Czech", "Uživatelské jméno", "Heslo", "Heslo znovu"),
        language("Danish", "Brugernavn", "Adgangskode", "Gentag adgangskode"),
        language("Dutch", "Gebruikersnaam", "Wachtwoord", "Herhaal wachtwoord"),
        language("Estonian", "Kasutajanimi", "Parool", "Korda parooli"),
        language("Finnish", "Käyttäjätunnus", "Salasana", "Salasana uudelleen"),
        language("French, as usually written", "Nom d’utilisateur", "Mot de passe", "Confirmez le mot de passe"),
        language("German, as usually written", "Benutzername", "Passwort", "Passwort wiederholen"),
        language("Greek", "Όνομα χρήστη", "Κωδικός πρόσβασης", "Επανάληψη κωδικού πρόσβασης"),
        language("Hebrew", "שם משתמש", "סיסמה", "אימות סיסמה"),
        language("Hindi", "उपयोगकर्ता नाम", "पासवर्ड", "पासवर्ड की पुष्टि करें"),
        language("Hungarian", "Felhasználónév", "Jelszó", "Jelszó ismét"),
        language("Indonesian", "Nama pengguna", "Kata sandi", "Ulangi kata sandi"),
        language("Italian", "Nome utente", "Password", "Conferma password"),
        language("Japanese, as usually written", "ユーザー名", "パスワード", "パスワード（確認用）"),
        language("Korean", "아이디", "비밀번호", "비밀번호 확인"),
        language("Lithuanian", "El. paštas", "Slaptažodis", "Pakartokite slaptažodį"),
        language("Norwegian", "Brukernavn", "Passord", "Gjenta passord"),
        language("Persian", "نام کاربری", "رمز عبور", "تکرار رمز عبور"),
        language("Polish", "Nazwa użytkownika", "Hasło", "Powtórz hasło"),
        language("Portuguese, as usually written", "Nome de usuário", "Senha", "Confirme a senha"),
        language("Romanian", "Nume utilizator", "Parolă", "Confirmă parola"),
        language("Russian, as usually written", "Имя пользователя", "Пароль", "Повторите пароль"),
        language("Slovak", "Používateľské meno", "Heslo", "Heslo ešte raz"),
        language("Spanish, as usually written", "Nombre de usuario", "Contraseña", "Repita la contraseña"),
        language("Swedish", "Användarnamn", "Lösenord", "Upprepa lösenord"),
        language("Thai", "ชื่อผู้ใช้", "รหัสผ่าน", "ยืนยันรหัสผ่าน"),
        language("Turkish", "Kullanıcı adı", "Şifre", "Şifre tekrar"),
        language("Ukrainian", "Ім'я користувача", "Пароль", "Повторіть пароль"),
        language("Vietnamese", "Tên đăng nhập", "Mật khẩu", "Nhập lại mật khẩu"),
    ]

    /// The passwords are shown, so that only their words identify them.
    private static func language(_ title: String, _ user: String, _ password: String, _ again: String) -> WrittenForm {
        WrittenForm(
            title,
            "<input id=f1 label=\"\(user)\"> <input id=f2 label=\"\(password)\"> <input id=f3 label=\"\(again)\">",
            .signUp,
            "username newPassword confirmation", because: "the field after it confirms it")
    }
}
