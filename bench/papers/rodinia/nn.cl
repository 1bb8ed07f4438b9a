/* Rodinia's nearest neighbour: distance of each record's place to one place. */
struct place {
    float lat, lng;
};

kernel void nearestNeighbor(global const struct place *places, global float *distances, int records, float lat, float lng)
{
    int id = get_global_id(0);
    if (id < records) {
        global const struct place *p = places + id;
        distances[id] = sqrt((lat - p->lat) * (lat - p->lat) + (lng - p->lng) * (lng - p->lng));
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
