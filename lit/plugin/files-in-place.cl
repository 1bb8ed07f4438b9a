// Links stay links, a FIFO stays a FIFO and gets what is written.
// RUN: rm -rf %t.d && mkdir %t.d && echo old > %t.d/report && echo old > %t.d/profile
// RUN: ln -s report %t.d/report-link && ln -s profile %t.d/profile-link && mkfifo %t.d/fifo
// RUN: (timeout 60 cat %t.d/fifo > %t.d/read & %cl -fplugin-arg-gpuperf-report=%t.d/fifo -fplugin-arg-gpuperf-profile=%t.d/profile-link -c %s -o %t.bc && wait)
// RUN: %cl -fplugin-arg-gpuperf-report=%t.d/report-link -c %s -o %t.bc
// RUN: test -p %t.d/fifo && test -L %t.d/report-link && test -L %t.d/profile-link
// RUN: cd %t.d && %cl -fplugin-arg-gpuperf-profile=- -c %s -o %t.bc > %t.d/out && cmp %t.d/out %t.d/profile && test ! -e %t.d/-
// RUN: cmp %t.d/read %t.d/report && head -c 4 %t.d/profile | grep -q GPPF
// RUN: ls %t.d | count 7
kernel void scale(global float *data) { data[get_global_id(0)] *= 2.0f; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
