// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Kinetic energies: of an array of structures, of which two members are used, or of an array for each member. */
struct particle {
    float x, y, z, mass, speed, charge, spare[2];
};

kernel void faulty(global float *restrict energy, global const struct particle *restrict particles)
{
    int i = get_global_id(0);
    float speed = particles[i].speed;
    energy[i] = 0.5f * particles[i].mass * speed * speed;
}

kernel void repaired(global float *restrict energy, global const float *restrict mass, global const float *restrict speed)
{
    int i = get_global_id(0);
    energy[i] = 0.5f * mass[i] * speed[i] * speed[i];
}
