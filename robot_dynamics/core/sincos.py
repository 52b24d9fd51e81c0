"""
Branch-free sine and cosine that compilers can inline and vectorise.

numpy's and the C library's functions cost more than the dynamics of six joints.  Here: reduce
by multiples of pi/2 (Cody & Waite: pi/2 in three pieces, so that the products are exact), then
minimax polynomials on [-pi/4, pi/4] with the degrees and coefficients of fdlibm's kernels
(their published constants), then pick the quadrant by arithmetic.  Good to 2 units in the last
place of 1 up to :data:`RANGE`; callers take another way beyond it.

The text below is source: generated kernels call it, and the digest of it is part of their names
in the cache.  It must be compiled without ``reassoc``, which would fold the reduction away (see
``core.compiler``).
"""

RANGE = 1.0e5  # rad; k * pi/2's first two pieces stay exact up to here

SOURCE = """
@inlined_exact
def sincos(x):
    k = floor(x * 0.6366197723675814 + 0.5)
    r = x - k * 1.5707963267341256
    r = r - k * 6.077100506303966e-11
    r = r - k * 2.0222662487959506e-21
    z = r * r
    s = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * (
            -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))))
    c = 1.0 - 0.5 * z + z * z * (4.16666666666666019037e-02 + z * (
        -1.38888888888741095749e-03 + z * (2.48015872894767294178e-05 + z * (
            -2.75573143513906633035e-07 + z * (
                2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))))
    half = floor(0.5 * k)
    odd = k - 2.0 * half                        # 0 or 1: sine and cosine change places
    below = half - 2.0 * floor(0.5 * half)      # 0 or 1: the lower half plane
    sine = c if odd != 0.0 else s
    cosine = -s if odd != 0.0 else c
    return (-sine if below != 0.0 else sine), (-cosine if below != 0.0 else cosine)
"""
