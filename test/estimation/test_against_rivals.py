"""On bases of all kinds it errs no more than the simplest methods, and by as much as it says."""

import functools

import pytest


@pytest.fixture(scope='module')
def bench(repository):
    """Return the module of ``python -m benchmarks base_motion``, and its cases by name."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(repository))
        from benchmarks import base_motion
        records = zip(*([*base_motion.motions(seed), *base_motion.ships(seed, [5])]
                        for seed in base_motion.SEEDS))
        yield base_motion, {kind[0].name: kind for kind in records}


@pytest.mark.slow
@pytest.mark.parametrize('name', [
    'narrow band 1.3 s', 'linear sea 4 s', 'swell and wind sea', 'crane barge', 'slamming',
    'usv with propeller', 'truck', 'drone', 'start and stop', '5 65 m pitch 0.1 0',
    '5 stiffening roll 0.1 0.05'])
def test_it_errs_no_more_than_the_simplest_methods_and_as_it_says(bench, name):
    base_motion, cases = bench
    assert base_motion.missed(
        cases[name][0], *base_motion.tried('adaptive', cases[name])) == []


@pytest.mark.slow
def test_what_is_missed_is_named(bench):
    base_motion, cases = bench
    case = cases['linear sea 4 s'][0]
    trial, early = base_motion.tried('savitzky_golay', cases['linear sea 4 s'][:1])
    assert any('2 s' in word for word in base_motion.missed(case, trial, early))
    named = functools.partial(base_motion.missed, case, trial._replace(within=0.95))
    assert 'interval 89.0 % at first' in named(0.89)
    assert not [word for word in named(0.95) if 'interval' in word]
