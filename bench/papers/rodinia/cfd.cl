/* Rodinia's CFD solver: finite volumes of the Euler equations on an unstructured grid, four neighbours to an element. */
#define GAMMA 1.4f
#define NNB 4
enum { DENSITY, MOMENTUM, ENERGY = 4, NVAR };

struct float_3 {
    float x, y, z;
};

kernel void memset_kernel(global char *target, char value, int count)
{
    target[get_global_id(0)] = value;
}

kernel void initialize_variables(global float *variables, constant float *far_field, int nelr)
{
    int i = get_global_id(0);
    if (i >= nelr)
        return;
    __attribute__((opencl_unroll_hint(1)))
    for (int j = 0; j < NVAR; j++)
        variables[i + j * nelr] = far_field[j];
}

static float pressure_of(float density, float energy, float speed_sqd) { return (GAMMA - 1.0f) * (energy - 0.5f * density * speed_sqd); }

static float speed_of_sound(float density, float pressure) { return sqrt(GAMMA * pressure / density); }

static struct float_3 velocity_of(float density, struct float_3 momentum)
{
    return (struct float_3){momentum.x / density, momentum.y / density, momentum.z / density};
}

static float square(struct float_3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

kernel void compute_step_factor(global const float *variables, global const float *areas, global float *step_factors, int nelr)
{
    int i = get_global_id(0);
    if (i >= nelr)
        return;
    float density = variables[i + DENSITY * nelr];
    struct float_3 momentum = {variables[i + MOMENTUM * nelr], variables[i + (MOMENTUM + 1) * nelr], variables[i + (MOMENTUM + 2) * nelr]};
    float energy = variables[i + ENERGY * nelr];
    float speed_sqd = square(velocity_of(density, momentum));
    float sound = speed_of_sound(density, pressure_of(density, energy, speed_sqd));
    step_factors[i] = 0.5f / (sqrt(areas[i]) * (sqrt(speed_sqd) + sound));
}

struct flux {
    struct float_3 x, y, z, energy;
};

static struct flux flux_of(struct float_3 momentum, float energy, float pressure, struct float_3 velocity)
{
    struct flux f;
    f.x = (struct float_3){velocity.x * momentum.x + pressure, velocity.x * momentum.y, velocity.x * momentum.z};
    f.y = (struct float_3){f.x.y, velocity.y * momentum.y + pressure, velocity.y * momentum.z};
    f.z = (struct float_3){f.x.z, f.y.z, velocity.z * momentum.z + pressure};
    float total = energy + pressure;
    f.energy = (struct float_3){velocity.x * total, velocity.y * total, velocity.z * total};
    return f;
}

struct state {
    float density, energy;
    struct float_3 momentum;
};

/* What a face lets through: half the sum of both sides' fluxes along its normal. */
static void add_side(struct state *sum, struct float_3 normal, struct flux f, struct float_3 momentum)
{
    float half_x = 0.5f * normal.x, half_y = 0.5f * normal.y, half_z = 0.5f * normal.z;
    sum->density += half_x * momentum.x + half_y * momentum.y + half_z * momentum.z;
    sum->energy += half_x * f.energy.x + half_y * f.energy.y + half_z * f.energy.z;
    sum->momentum.x += half_x * f.x.x + half_y * f.x.y + half_z * f.x.z;
    sum->momentum.y += half_x * f.y.x + half_y * f.y.y + half_z * f.y.z;
    sum->momentum.z += half_x * f.z.x + half_y * f.z.y + half_z * f.z.z;
}

kernel void compute_flux(global const int *surrounding, global const float *normals, global const float *variables, constant float *far_field, global float *fluxes,
                         constant struct float_3 *far, int nelr)
{
    const float smoothing = 0.2f;
    int i = get_global_id(0);
    if (i >= nelr)
        return;
    float density = variables[i + DENSITY * nelr];
    struct float_3 momentum = {variables[i + MOMENTUM * nelr], variables[i + (MOMENTUM + 1) * nelr], variables[i + (MOMENTUM + 2) * nelr]};
    float energy = variables[i + ENERGY * nelr];
    struct float_3 velocity = velocity_of(density, momentum);
    float speed_sqd = square(velocity), speed = sqrt(speed_sqd);
    float pressure = pressure_of(density, energy, speed_sqd), sound = speed_of_sound(density, pressure);
    struct flux own = flux_of(momentum, energy, pressure, velocity);
    struct state sum = {0};
    __attribute__((opencl_unroll_hint(1)))
    for (int j = 0; j < NNB; j++) {
        int nb = surrounding[i + j * nelr];
        struct float_3 normal = {normals[i + j * nelr], normals[i + (j + NNB) * nelr], normals[i + (j + 2 * NNB) * nelr]};
        float length = sqrt(square(normal));
        if (nb >= 0) { /* another element */
            float density_nb = variables[nb + DENSITY * nelr];
            struct float_3 momentum_nb = {variables[nb + MOMENTUM * nelr], variables[nb + (MOMENTUM + 1) * nelr], variables[nb + (MOMENTUM + 2) * nelr]};
            float energy_nb = variables[nb + ENERGY * nelr];
            struct float_3 velocity_nb = velocity_of(density_nb, momentum_nb);
            float speed_sqd_nb = square(velocity_nb);
            float pressure_nb = pressure_of(density_nb, energy_nb, speed_sqd_nb), sound_nb = speed_of_sound(density_nb, pressure_nb);
            struct flux other = flux_of(momentum_nb, energy_nb, pressure_nb, velocity_nb);
            float factor = -length * smoothing * 0.5f * (speed + sqrt(speed_sqd_nb) + sound + sound_nb);
            sum.density += factor * (density - density_nb);
            sum.energy += factor * (energy - energy_nb);
            sum.momentum.x += factor * (momentum.x - momentum_nb.x);
            sum.momentum.y += factor * (momentum.y - momentum_nb.y);
            sum.momentum.z += factor * (momentum.z - momentum_nb.z);
            add_side(&sum, normal, own, momentum);
            add_side(&sum, normal, other, momentum_nb);
        } else if (nb == -1) { /* a wing */
            sum.momentum.x += normal.x * pressure;
            sum.momentum.y += normal.y * pressure;
            sum.momentum.z += normal.z * pressure;
        } else if (nb == -2) { /* the far field */
            struct float_3 momentum_far = {far_field[MOMENTUM], far_field[MOMENTUM + 1], far_field[MOMENTUM + 2]};
            struct flux far_flux = {far[0], far[1], far[2], far[3]};
            add_side(&sum, normal, far_flux, momentum_far);
            add_side(&sum, normal, own, momentum);
        }
    }
    fluxes[i + DENSITY * nelr] = sum.density;
    fluxes[i + MOMENTUM * nelr] = sum.momentum.x;
    fluxes[i + (MOMENTUM + 1) * nelr] = sum.momentum.y;
    fluxes[i + (MOMENTUM + 2) * nelr] = sum.momentum.z;
    fluxes[i + ENERGY * nelr] = sum.energy;
}

kernel void time_step(int stage, int nelr, global const float *old, global float *variables, global const float *step_factors, global const float *fluxes)
{
    int i = get_global_id(0);
    if (i >= nelr)
        return;
    float factor = step_factors[i] / (float)(4 - stage);
    __attribute__((opencl_unroll_hint(1)))
    for (int j = 0; j < NVAR; j++)
        variables[i + j * nelr] = old[i + j * nelr] + factor * fluxes[i + j * nelr];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
