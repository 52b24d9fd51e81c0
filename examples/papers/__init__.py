"""
The papers behind robot_dynamics, recomputed: what they print, what is right, the difference.

``robot-dynamics paper NAME`` runs them.  Every paper is a module here with ``compute(...)``,
whose result dataclass offers ``tables()`` (:class:`~papers.tables.ResultTable`, to read and as
CSV), ``findings()`` (sentences that carry computed numbers) and ``series()`` (longer CSV), and a
sibling ``<paper>_figures`` with ``draw(result, directory)``, which returns the PNG files that it
wrote and is the only place that loads matplotlib.  What a paper prints wrongly is written down
here as an option to measure, and the package knows nothing of it.
"""
