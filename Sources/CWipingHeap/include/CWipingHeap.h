// SPDX-License-Identifier: Apache-2.0
#ifndef CWIPINGHEAP_H
#define CWIPINGHEAP_H

// From this call on all memory of the heap is overwritten when it is freed: names are ordinary text, and copies of them
// are left wherever they were used. (Secrets are not on the heap.) Does nothing under AddressSanitizer, which has its
// own heap.
void af_wipe_freed_memory(void);

#endif
