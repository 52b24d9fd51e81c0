"""The recordings that the tests of this room share."""

from recording_fixtures import bag, motion, shared_bags

__all__ = ['bag', 'motion', 'shared_bags']
