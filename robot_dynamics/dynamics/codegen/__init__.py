"""
From a traced expression to a compiled kernel.

``straight_line`` writes a CasADi function as Python source, ``module_source`` puts the scalar
and batch entries around it, ``compiled`` compiles it with numba, ``lowering`` spares numba the
types of a straight line, and ``kernel`` is what the public classes hold.  Nothing here knows
what the expressions mean.
"""
