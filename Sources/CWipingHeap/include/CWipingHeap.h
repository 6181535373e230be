// SPDX-License-Identifier: Apache-2.0
#ifndef CWIPINGHEAP_H
#define CWIPINGHEAP_H

// From now on all memory of the heap is overwritten when it is given back: names are ordinary text, and copies of them lie
// wherever they were worked with. (Secrets are not on the heap.) Does nothing under AddressSanitizer, which has a heap of its own.
void af_wipe_freed_memory(void);

#endif
