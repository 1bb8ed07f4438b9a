__kernel void hostile(__global float *a) // </script><script>document.title = "owned"</script> <!-- <script>
{
    int i = get_global_id(0);
    a[i * 64] = a[i * 64] + 1.0f; // <b onclick='a()'>"&quot;'
}
