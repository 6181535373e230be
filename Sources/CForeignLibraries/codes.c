// SPDX-License-Identifier: Apache-2.0
#include "CForeignLibraries.h"

#ifdef AF_FOREIGN_LIBRARIES
#include <qrencode.h>

int af_qr_code(const char *text, uint8_t *modules, size_t size) {
    QRcode *code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    if (code == NULL) return 0;
    int width = code->width;
    size_t count = (size_t)width * (size_t)width;
    if (count > size) width = 0;
    else
        for (size_t index = 0; index < count; index++) modules[index] = code->data[index] & 1;
    QRcode_free(code);
    return width;
}

#else

int af_qr_code(const char *text, uint8_t *modules, size_t size) {
    (void)text, (void)modules, (void)size;
    return 0;
}

#endif
