"""The service that the final action asks for: deactivate controllers, set the brakes."""

from __future__ import annotations

from functools import partial
import math
import time
from typing import Any, Callable, Sequence

from rclpy.node import Node
from robot_dynamics.core.errors import ConfigurationError
from std_srvs.srv import Trigger

try:
    from controller_manager_msgs.srv import SwitchController
except ImportError:  # comes with ros2_control, not with the wheels
    SwitchController = None

RETRY_PERIOD = 1.0  # s
MOST_UNANSWERED = 10


class FinalService:
    """
    A service that is called until it answers, and never waited for.

    It may not be there when it is needed, and a request to one that is just coming up, or that
    is killed, can be lost: while there is no answer it is called again every second.

    Parameters
    ----------
    node : Node
        Owns the client.
    name : str
        Of the service; may be empty where it is not needed.
    needed : bool
        Whether the final action is this call.
    controllers : sequence of str
        Controllers to deactivate: then the service is a controller manager's
        controller_manager_msgs/SwitchController, otherwise a std_srvs/Trigger.
    clock : callable, optional
        Returns a time that never stands still, s.

    Raises
    ------
    ConfigurationError
        If it is needed and has no name, or controllers are named where controller_manager_msgs
        is not installed.
    """

    def __init__(self, node: Node, name: str, needed: bool,
                 controllers: Sequence[str] = (),
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self.check(needed)
        if controllers and SwitchController is None:
            raise ConfigurationError(
                'parameter final_controllers: needs controller_manager_msgs, which is not '
                'installed; install ros2_control, or name a std_srvs/Trigger service alone')
        self._logger = node.get_logger()
        self._destroy_client = node.destroy_client
        kind = SwitchController if controllers else Trigger
        self._request = (switch_request(SwitchController.Request(), controllers) if controllers
                         else Trigger.Request())
        self._client: Any = node.create_client(kind, name) if name else None
        self._wanted = 0  # how many times the final action has come into force
        self._in_force = self._answered = self._complained = False
        self._next = -math.inf
        self._unanswered: list[Any] = []  # the requests, as futures

    def check(self, needed: bool) -> None:
        """Refuse a final action that has nothing to call."""
        if needed and not self._name:
            raise ConfigurationError(
                'parameter final_service: is empty, but final_action is call_service')

    def close(self) -> None:
        """Give the client back; to be called when nothing more is to be called."""
        if self._client is not None:
            self._destroy_client(self._client)
            self._client = None

    def attend(self, wanted: bool) -> None:
        """
        Call it while it is wanted and has not answered; the outcome becomes a log line.

        To be called regularly.

        Parameters
        ----------
        wanted : bool
            Whether the final action is in force.
        """
        if not wanted:
            if self._in_force:
                self._forget()
            return
        if not self._in_force:
            self._in_force = True
            self._wanted += 1
        if self._client is None or self._answered or self._clock() < self._next:
            return
        self._next = self._clock() + RETRY_PERIOD
        if not self._client.service_is_ready():
            self._complain(f'nobody offers the service {self._name}')
            return
        if self._unanswered:
            self._complain(f'{self._name} has not answered')
        while len(self._unanswered) >= MOST_UNANSWERED:
            self._client.remove_pending_request(self._unanswered.pop(0))
        future = self._client.call_async(self._request)
        self._unanswered.append(future)
        future.add_done_callback(partial(self._on_done, self._wanted))

    def _on_done(self, wanted: int, future: Any) -> None:
        if wanted == self._wanted and self._in_force:
            if self._answered:
                return  # to a request that was sent again
            self._answered = True
        succeeded, message = outcome(future.result())
        if succeeded:
            self._logger.warning(f'final action: {self._name} was called: {message}')
        else:
            self._logger.error(f'final action: {self._name} failed: {message}')

    def _complain(self, problem: str) -> None:
        """Say once what prevents the final action."""
        if not self._complained:
            self._complained = True
            self._logger.error(f'final action: {problem}; calling it again every second')

    def _forget(self) -> None:
        """Be ready for the next time."""
        self._in_force = self._answered = self._complained = False
        self._next = -math.inf
        self._unanswered = []


def switch_request(request: Any, controllers: Sequence[str]) -> Any:
    """Fill a SwitchController request that deactivates controllers, as far as they are active."""
    request.deactivate_controllers = list(controllers)
    request.strictness = 1  # BEST_EFFORT: one that is inactive already does no harm
    return request


def outcome(response: Any) -> tuple[bool, str]:
    """Read success and message of a Trigger or SwitchController response, or of none."""
    if response is None:
        return False, 'no answer'
    succeeded = getattr(response, 'success', getattr(response, 'ok', False))
    return bool(succeeded), str(getattr(response, 'message', ''))
