/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes are in memory there: calls that the plugin knows. */
#define GPUPERF_REGISTER(name) GPUPERF_PICK(__builtin_amdgcn_##name##_id_x(), __builtin_amdgcn_##name##_id_y(), \
    __builtin_amdgcn_##name##_id_z(), 0)
GPUPERF_ID(get_local_id) { return (uint)GPUPERF_REGISTER(workitem); }
GPUPERF_ID(get_group_id) { return (uint)GPUPERF_REGISTER(workgroup); }
GPUPERF_ID(get_global_id) { return (uint)(gpuperf_get_group_id(d) * get_local_size(d) + gpuperf_get_local_id(d) +
    get_global_offset(d)); }
#undef GPUPERF_REGISTER
