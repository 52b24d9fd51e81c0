"""One simulated motion for all tests of this room, and the recordings that others made."""

from __future__ import annotations

from pathlib import Path

import pytest
from replay_bags import Truth, truth, write


@pytest.fixture(scope='session')
def motion() -> Truth:
    """Twelve seconds of the PA10 on a moving deck."""
    return truth()


@pytest.fixture(scope='session')
def bag(motion: Truth, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the motion as an ordinary mcap file."""
    return write(tmp_path_factory.mktemp('bag') / 'ordinary.mcap', motion)


@pytest.fixture(scope='session')
def shared_bags(repository: Path) -> Path:
    """Find the recordings of others, beside the checkout; not part of it."""
    folder = repository.parent / 'shared' / 'bags'
    if not folder.is_dir():
        pytest.skip('the recordings of others are not beside this checkout (../shared/bags)')
    return folder
