"""How often what goes on and on is told."""

from robot_dynamics.control.events import BURST, EventKind, EventLog

SECOND = 1_000_000_000


def told(seconds, **options):
    """Return the times at which something reported at these times is told, s."""
    log = EventLog(SECOND)
    for time in seconds:
        log.report(EventKind.SATURATED, 'limit', int(time * SECOND), **options)
    return log.drain()


def test_what_goes_on_is_told_at_once_and_then_ever_more_rarely():
    events = told([0.01 * k for k in range(30_000)])
    times = [event.stamp_ns / SECOND for event in events]
    assert times == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243]
    assert sum(event.suppressed + 1 for event in events) > 24_000


def test_after_a_calm_it_is_news_again():
    assert len(told([0.0, 0.5, 20.0])) == 2
    assert [event.suppressed for event in told([0.0, 0.5, 20.0])] == [0, 1]


def test_two_causes_that_alternate_are_throttled_each():
    log = EventLog(SECOND)
    for k in range(10_000):
        log.report(EventKind.WAITING, 'no', k * SECOND // 10, subject=('imu', 'joints')[k % 2])
    assert len(log.drain()) < 50


def test_changes_of_state_always_pass_until_they_flap():
    assert len(told([0.1 * k for k in range(BURST)], always=True)) == BURST
    assert len(told([0.1 * k for k in range(600)], always=True)) < BURST + 10


def test_names_from_messages_neither_steer_a_terminal_nor_fill_it():
    log = EventLog(SECOND)
    log.report(EventKind.JOINT_MISSING, 'it names \x1b[31m\njoint', 0)
    log.report(EventKind.STAMP_REFUSED, 'x' * 10**6, 0)
    steering, long = log.drain()
    assert steering.text == r'it names \x1b[31m\njoint'
    assert len(long.text) < 1000


def test_a_clock_that_goes_back_does_not_silence_it():
    assert len(told([50.0, 1.0])) == 2
