/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#undef GPUPERF_PICK
#undef GPUPERF_ID
#define get_local_id gpuperf_get_local_id
#define get_group_id gpuperf_get_group_id
#define get_global_id gpuperf_get_global_id
