# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# make_seeds.sh CLANG MAKE-SEEDS FILE.gptext...: fills seeds/ and makes an empty found/ where it runs. Bitcode and SPIR-V
# are made of the smallest profile only; a clang without SPIR-V leaves that one out.
set -e
clang=$1 make_seeds=$2
shift 2
rm -rf seeds found
mkdir seeds found
"$make_seeds" seeds "$@"
"$clang" -Wno-override-module -x ir -target spir64 -emit-llvm -c seeds/divergent_branch.gptext.ll -o seeds/bitcode
"$clang" -Wno-override-module -x ir -target spirv64 -c seeds/divergent_branch.gptext.ll -o seeds/spirv || rm -f seeds/spirv
