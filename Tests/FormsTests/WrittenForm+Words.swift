// SPDX-License-Identifier: Apache-2.0
import Forms

extension WrittenForm {
    /// Words that are found inside others, or say something about the form.
    static let foundWords: [WrittenForm] = [
        WrittenForm(
            "Registry is no registration",
            "<input name=registryEmail label=E-mail> <input type=password name=registryPassword label=Password>",
            .signIn, "username password", because: "it is the only password field"),
        WrittenForm(
            "The names of a new sign-in",
            "<input name=NewLoginName> <input type=password name=NewLoginPassword>",
            .signIn, "username password", because: "its name contains “login”"),
        WrittenForm(
            "New passwords of a sign-in",
            """
            <input type=password name=oldLoginPwd> <input type=password name=newLoginPwd>
            <input type=password name=cfmLoginPwd>
            """,
            .changePassword, "password newPassword confirmation", offered: true, because: "its name contains “old"),
        WrittenForm(
            "A prefix of several words",
            """
            <input name=join_neu_user> <input type=password name=join_neu_pass>
            <input type=checkbox name=join_neu_remember>
            """,
            .signIn, "username password other", because: "offers to remember"),
        WrittenForm(
            "A prefix of several words that signs up",
            """
            <input name=new_account_mail type=email> <input name=new_account_full_name>
            <input type=password name=new_account_secret>
            """,
            .signUp, "username other newPassword", offered: true, because: "the fields' ids contain “new account”"),
        WrittenForm(
            "“such as” is no search",
            "<input name=u label=\"Username such as jdoe\"> <input type=password name=p>",
            .signIn, "username password", because: "its label contains “username”"),
        WrittenForm(
            "“Noch einmal” is no one-time password",
            """
            <input name=m label=E-Mail> <input type=password name=p label=Passwort>
            <input type=password name=q label="Noch einmal">
            """,
            .signUp, "username newPassword confirmation", offered: true, because: "its label contains “noch einmal”"),
        WrittenForm(
            "The solution of a sum is no password, in German",
            """
            <input name=m label=E-Mail> <input type=password name=p label=Passwort>
            <input name=sum label="Lösung der Rechenaufgabe">
            """,
            .signIn, "username password other", because: "it accepts text"),
        WrittenForm(
            "A boarding pass is no password",
            "<input name=boardingPass label=\"Boarding pass number\"> <input name=lastName label=\"Last name\">",
            .other, "other other", because: "no user name alone"),
        WrittenForm(
            "The number of a season pass beside the password",
            """
            <input name=seasonPassId label="Season pass number"> <input type=password name=pass label=Password>
            """,
            .signIn, "username password", because: "its label contains “season pass”"),
        WrittenForm(
            "A company's name that robots' traps have too",
            """
            <input name=user label="HP Passport user ID"> <input type=password name=pw label="HP Passport password">
            """,
            .signIn, "username password", because: "its label contains “user id”"),
        WrittenForm(
            "A name for robots in the field's name",
            "<input type=email name=e> <input name=hp>",
            .other, "username hidden", because: "its name contains “hp”"),
        WrittenForm(
            "An address as the example",
            "<input name=f1 placeholder=\"name@domain.com\"> <input type=password name=f2>",
            .signIn, "username password", because: "its placeholder contains “email”"),
        WrittenForm(
            "An address as the example, alone",
            "<input name=f1 placeholder=\"erika.mustermann@beispiel.de\">",
            .other, "username", because: "its placeholder contains “email”"),
        WrittenForm(
            "A user name that one chooses",
            "<input name=handle label=\"Choose a handle\"> <input type=password name=password>",
            .signUp, "username newPassword", offered: true, because: "as a sign-up does"),
    ]

    /// Codes that are sent to a telephone, and codes that are none.
    static let codes: [WrittenForm] = [
        WrittenForm(
            "A code under the label of a telephone",
            """
            <input type=tel name=mobile label="Mobile number"> <input name=activationCode label="Mobile number">
            <input type=password name=password>
            """,
            .signIn, "username oneTimeCode password",
            because: "its name contains “activation code”, sent to the user"),
        WrittenForm(
            "A code that was sent to a telephone",
            "<input name=code label=\"Enter the code that we sent to your phone\">",
            .oneTimeCode, "oneTimeCode", because: "its label contains “code”, sent to the user"),
        WrittenForm(
            "A code under the label of a telephone, in German",
            "<input type=tel name=telefon label=Telefon> <input name=aktivierungscode label=Telefon>",
            .oneTimeCode, "other oneTimeCode", because: "its name contains “aktivierungscode”, sent"),
        WrittenForm(
            "The codes of countries and areas are none",
            """
            <input name=phone_code label="Country code"> <input type=tel name=area_code label=Phone maxlength=3>
            <input type=tel name=phone label=Phone>
            """,
            .other, "other other other", because: "its label contains “phone”"),
        WrittenForm(
            "A code between the telephone and the password",
            """
            <input name=mobile placeholder=手机号> <input name=smsCode placeholder=短信验证码>
            <input type=password name=password placeholder=设置密码>
            """,
            .signUp, "username oneTimeCode newPassword", offered: true, because: "right before the password"),
    ]
}
