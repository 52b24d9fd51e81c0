"""The public interface: shapes, broadcasting, bad input, both backends."""

from dynamics_states import random_base, random_state, relative_error
import numpy as np
import pytest

from robot_dynamics import BaseMotion, ForwardDynamics, InverseDynamics, RobotModel
from robot_dynamics.core.errors import ConfigurationError, InputError
from robot_dynamics.core.resources import resource_path


@pytest.fixture(scope='module')
def fast(pa10):
    dynamics = InverseDynamics(pa10)
    dynamics.warm_up('torque', 'batch')
    return dynamics


@pytest.fixture(scope='module')
def slow(pa10):
    return InverseDynamics(pa10, backend='interpreted')


def test_compiled_and_interpreted_torques_agree(fast, slow, rng):
    for _ in range(20):
        state, base = random_state(rng, 6), random_base(rng)
        assert relative_error(fast.torque(*state, base), slow.torque(*state, base)) < 1e-12


@pytest.mark.parametrize('which', ['fast', 'slow'])
@pytest.mark.parametrize('samples', [1, 2, 127, 128, 129, 300, 1100])
def test_batch_is_the_single_sample_repeated(fast, which, rng, samples, request):
    state, base = random_state(rng, 6, samples), random_base(rng, samples)
    batch = request.getfixturevalue(which).torque(*state, base)
    assert batch.shape == (samples, 6)
    for k in {0, samples // 2, samples - 1}:
        single = fast.torque(*(array[k] for array in state), BaseMotion(
            base.angular_velocity[k], base.angular_acceleration[k],
            base.linear_acceleration[k], base.gravity[k]))
        assert relative_error(batch[k], single) < 1e-12


def test_empty_batch_gives_an_empty_batch(fast, slow):
    empty = np.empty((0, 6))
    for dynamics in (fast, slow):
        assert dynamics.torque(empty, empty, empty).shape == (0, 6)


@pytest.mark.parametrize('which', ['fast', 'slow'])
def test_one_base_and_vectors_broadcast_over_samples(which, rng, request):
    dynamics = request.getfixturevalue(which)
    (q, qd, qdd), base = random_state(rng, 6, 9), random_base(rng)
    repeated = BaseMotion(*(np.tile(v, (9, 1)) for v in (
        base.angular_velocity, base.angular_acceleration, base.linear_acceleration,
        base.gravity)))
    full = dynamics.torque(q, np.tile(qd[0], (9, 1)), qdd, repeated)
    assert relative_error(dynamics.torque(q, qd[0], qdd, base), full) < 1e-13
    many_bases = dynamics.torque(q[0], qd[0], qdd[0], random_base(rng, 4))
    assert many_bases.shape == (4, 6)


def test_lists_integers_strides_and_read_only_arrays_are_taken(fast, rng):
    q, qd, qdd = random_state(rng, 6)
    expected = fast.torque(q, qd, qdd)
    wide = np.zeros(12)
    wide[::2] = q
    frozen = qd.copy()
    frozen.flags.writeable = False
    assert np.array_equal(fast.torque(wide[::2], frozen, list(qdd)), expected)
    ones = fast.torque(np.ones(6, int), np.ones(6, int), np.ones(6, np.int32))
    assert np.array_equal(ones, fast.torque(np.ones(6), np.ones(6), np.ones(6)))


@pytest.mark.parametrize('which', ['fast', 'slow'])
def test_result_is_written_where_asked(which, rng, request):
    fast = request.getfixturevalue(which)
    state = random_state(rng, 6)
    out = np.empty(6)
    assert fast.torque(*state, out=out) is out
    assert np.array_equal(out, fast.torque(*state))
    batch = random_state(rng, 6, 3)
    room = np.empty((3, 6))
    assert fast.torque(*batch, out=room) is room
    for bad in (np.empty(5), np.broadcast_to(0.0, 6), np.empty(6, np.float32),
                np.empty((6, 2))[:, 0], [0.0] * 6):
        with pytest.raises(InputError, match='out'):
            fast.torque(*state, out=bad)


@pytest.mark.parametrize('which', ['fast', 'slow'])
@pytest.mark.parametrize('argument', range(3))
@pytest.mark.parametrize('bad', [float('nan'), float('inf'), -float('inf')])
def test_a_value_that_is_not_finite_is_refused_by_name(which, argument, bad, rng, request):
    dynamics = request.getfixturevalue(which)
    for samples in (None, 200):
        state = random_state(rng, 6, samples)
        state[argument].flat[4] = bad
        with pytest.raises(InputError, match='index') as caught:
            dynamics.torque(*state)
        assert caught.value.argument == ('q', 'qd', 'qdd')[argument]


def test_a_base_that_is_not_finite_is_refused(fast, rng):
    state = random_state(rng, 6)
    with pytest.raises(InputError, match='base'):
        fast.torque(*state, BaseMotion.from_packed(np.full(12, np.nan)))
    with pytest.raises(InputError, match='BaseMotion'):
        fast.torque(*state, base=np.zeros(12))


@pytest.mark.parametrize('which', ['fast', 'slow'])
@pytest.mark.parametrize('nothing', [None, 'abc', [[1], [2, 3]]])
def test_what_is_no_array_of_numbers_is_refused_by_name(which, nothing, rng, request):
    dynamics = request.getfixturevalue(which)
    state = random_state(rng, 6)
    dynamics.torque(*state)  # from now on the short way
    with pytest.raises(InputError, match='^q: '):
        dynamics.torque(nothing, *state[1:])


@pytest.mark.parametrize('kind', [InverseDynamics, ForwardDynamics])
@pytest.mark.parametrize('option, value', [
    ('rotor_inertia', [0.1] * 6), ('rotor_inertia', np.full(6, 0.1)), ('rotor_inertia', 0.5),
    ('friction', [0.1] * 6), ('friction', {'joint1': 0.1}), ('friction', 'no')])
def test_numbers_in_place_of_a_switch_are_refused_not_left_out(pa10, kind, option, value):
    with pytest.raises(InputError, match=f'^{option}: '):
        kind(pa10, backend='interpreted', **{option: value})


@pytest.mark.parametrize('kind', [InverseDynamics, ForwardDynamics])
def test_a_path_in_place_of_a_model_is_refused_with_what_loads_it(kind):
    with pytest.raises(InputError, match='is a str, expected a RobotModel: .*from_urdf'):
        kind('pa10.urdf')


@pytest.mark.parametrize('shapes, offender', [
    ([(5,), (6,), (6,)], 'q'), ([(6,), (7,), (6,)], 'qd'), ([(6,), (6,), ()], 'qdd'),
    ([(3, 6), (2, 6), (3, 6)], 'qd'), ([(3, 5), (3, 6), (3, 6)], 'q'),
    ([(1, 2, 6), (6,), (6,)], 'q')])
def test_wrong_shapes_are_refused_by_name(fast, shapes, offender):
    with pytest.raises(InputError) as caught:
        fast.torque(*(np.zeros(shape) for shape in shapes))
    assert caught.value.argument == offender


def test_a_base_of_another_length_is_refused(fast, rng):
    with pytest.raises(InputError, match='samples'):
        fast.torque(*random_state(rng, 6, 3), random_base(rng, 4))


def test_angles_of_many_turns_keep_their_torque(fast, slow, rng):
    q, qd, qdd = random_state(rng, 6)
    for turns in (10, 1e4, 1e6):  # the last is beyond the inlined sine's range
        wound = q + 2 * np.pi * turns
        tolerance = 1e-13 * turns + 1e-12  # what rounding q itself costs
        assert relative_error(fast.torque(wound, qd, qdd), fast.torque(q, qd, qdd)) < max(
            tolerance, 1e-10)
        batch = fast.torque(np.tile(wound, (3, 1)), qd, qdd)
        assert relative_error(batch[1], slow.torque(wound, qd, qdd)) < 1e-9


def test_terms_refuse_a_base_without_separable_gravity(fast, rng):
    base = BaseMotion.from_imu([0.1, 0, 0], [0, 0, 9.8])
    state = random_state(rng, 6)
    assert np.isfinite(fast.torque(*state, base)).all()
    with pytest.raises(InputError, match='specific force'):
        fast.terms(*state, base)


def test_unknown_method_backend_and_kernel_list_what_exists(pa10):
    with pytest.raises(ConfigurationError, match='newton_euler, lagrange_euler'):
        InverseDynamics(pa10, method='kane')
    with pytest.raises(ConfigurationError, match='numba, interpreted'):
        InverseDynamics(pa10, backend='cuda')
    with pytest.raises(InputError, match='base_wrench'):
        InverseDynamics(pa10, backend='interpreted').warm_up('torques')


def test_packed_kernel_is_torque(fast, rng):
    state, base = random_state(rng, 6), random_base(rng)
    tau = np.empty(6)
    assert fast.kernel()(np.concatenate([*state, base.packed]), tau) == 0.0
    assert relative_error(tau, fast.torque(*state, base)) < 1e-12
    assert np.isnan(fast.kernel()(np.full(30, np.nan), tau))


def test_forward_dynamics_compiled_and_interpreted_agree(rng):
    arm = RobotModel.from_urdf(resource_path('urdf/pa10.urdf'), tip_link='link3')
    (q, qd, tau), base = random_state(rng, 3, 5), random_base(rng, 5)
    compiled = ForwardDynamics(arm, friction=True)
    interpreted = ForwardDynamics(arm, friction=True, backend='interpreted')
    expected = interpreted.acceleration(q, qd, tau, base)
    assert relative_error(compiled.acceleration(q, qd, tau, base), expected) < 1e-9
    assert relative_error(compiled.acceleration(q[0], qd[0], tau[0], BaseMotion.from_packed(
        base.packed[0])), expected[0]) < 1e-9
    with pytest.raises(InputError, match='tau'):
        compiled.acceleration(q[0], qd[0], np.full(3, np.nan))


def test_warm_up_says_what_it_compiles(pa10):
    told = []
    InverseDynamics(pa10, backend='interpreted').warm_up('torque', 'terms', progress=told.append)
    assert len(told) == 2 and 'torque' in told[0] and 'by cause' in told[1]
