import pytest
from robot_dynamics.app import progress


@pytest.fixture(autouse=True)
def no_progress(monkeypatch, request):
    """Keep stderr to what a test looks for: a busy machine would add a line of progress."""
    if request.path.stem != 'test_progress':
        monkeypatch.setattr(progress, 'PATIENCE', 3600.0)
