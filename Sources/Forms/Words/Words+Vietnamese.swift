// SPDX-License-Identifier: Apache-2.0

extension LanguageWords {
    /// Vietnamese.
    static let vietnamese = LanguageWords([
        .password: "*mật khẩu*",
        .pin: "mã pin",
        .oneTimeCode: "mã otp, mã xác minh, mã xác nhận, mã xác thực, mật khẩu một lần",
        .email: "hộp thư, thư điện tử, địa chỉ email",
        .phone: "di động, sđt, số điện thoại, *điện thoại*",
        .search: "tìm kiếm, từ khóa",
        .captcha: "mã hình ảnh, mã kiểm tra, nhập các ký tự",
        .username: "*taikhoan*, tên người dùng, tên tài khoản, *tên đăng nhập*",
        .alias: "biệt danh, mã khách hàng, mã số sinh viên",
        .account: "khách hàng, người dùng, tài khoản",
        .code: "mã kích hoạt",
        .securityCode: "mã bảo mật",
        .payment: "chủ thẻ, ngày hết hạn, số thẻ, số tài khoản, thẻ tín dụng, tên trên thẻ",
        .personName: "*hoten*, =họ, họ và tên, tên của bạn, tên đầy đủ, tên đệm",
        .bareName: "=tên",
        .birthday: "=ngày, ngày sinh, =năm, năm sinh, =tháng, tuổi",
        .organization: "chức vụ, công ty, cơ quan, nghề nghiệp, đơn vị",
        .address: "huyện, mã bưu điện, phường, quận, quốc gia, thành phố, tỉnh, đường",
        .bareAddress: "địa chỉ",
        .securityAnswer: "câu hỏi bí mật, câu hỏi bảo mật, câu trả lời",
        .matter: """
        ghi chú, giới tính, mã giảm giá, mã giới thiệu, mã khuyến mãi, số lượng, số tiền, tin nhắn, tiêu đề
        """,
        .new: "mới, tạo mật khẩu, đặt mật khẩu",
        .current: "cũ, hiện tại, *matkhaucu*",
        .confirmation: "gõ lại, lặp lại, nhập lại, nhắc lại, xác nhận",
        .strength: "tối thiểu, ít nhất",
        .signUp: "*dangky*, mở tài khoản, tạo tài khoản",
        .signIn: "*dangnhap*",
        .remember: "duy trì đăng nhập, ghi nhớ, nhớ mật khẩu, nhớ tài khoản",
        .terms: "chính sách, điều khoản, đồng ý",
        .passwordChange: "mật khẩu mới, đặt lại mật khẩu, đổi mật khẩu",
        .lost: "quên",
        .aside: "không phải, đã có tài khoản",
    ])
}
