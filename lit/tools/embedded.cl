/*
 * A profile in a file of its own and one inside a compiled module are read alike.
 *
 * RUN: %cl -c -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s -o %t.bc
 * RUN: %gpuperf dis %t.gpuperf > %t.1
 * RUN: %gpuperf dis %t.bc > %t.2
 * RUN: diff %t.1 %t.2
 * RUN: FileCheck %s --input-file %t.1
 * CHECK: gpuperf-profile 1
 * CHECK: kernel {{"?}}saxpy
 *
 * RUN: %gpuperf predict --device a100 --json %t.gpuperf > %t.json
 * RUN: %gpuperf predict --device a100 --json %t.bc | diff - %t.json
 * RUN: cp %t.1 %t.1.txt
 * RUN: %gpuperf predict --device a100 --json %t.1.txt | diff - %t.json
 * RUN: %gpuperf predict --device a100 %t.bc | FileCheck %s --check-prefix=FOREIGN
 * FOREIGN: note       predicted from code for spir64{{.*}}, not for the device itself
 */
#include "Inputs/saxpy.cl"
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
