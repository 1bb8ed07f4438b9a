/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define GPUPERF_REGISTER(name, other) GPUPERF_PICK(__nvvm_read_ptx_sreg_##name##_x(), \
    __nvvm_read_ptx_sreg_##name##_y(), __nvvm_read_ptx_sreg_##name##_z(), other)
GPUPERF_ID(get_local_id) { return (uint)GPUPERF_REGISTER(tid, 0); }
GPUPERF_ID(get_group_id) { return (uint)GPUPERF_REGISTER(ctaid, 0); }
GPUPERF_ID(get_local_size) { return (uint)GPUPERF_REGISTER(ntid, 1); }
GPUPERF_ID(get_num_groups) { return (uint)GPUPERF_REGISTER(nctaid, 1); }
GPUPERF_ID(get_global_id) { return (uint)(gpuperf_get_group_id(d) * gpuperf_get_local_size(d) +
    gpuperf_get_local_id(d)); }
GPUPERF_ID(get_global_size) { return (uint)(gpuperf_get_num_groups(d) * gpuperf_get_local_size(d)); }
#define get_local_size gpuperf_get_local_size
#define get_num_groups gpuperf_get_num_groups
#define get_global_size gpuperf_get_global_size
#undef GPUPERF_REGISTER
