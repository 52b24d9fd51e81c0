"""The service that the final action asks for: deactivate controllers, set the brakes."""

from __future__ import annotations

from functools import partial
import math
import time
from typing import Any, Callable, Optional, Sequence

from rclpy.node import Node
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.parameters import parameter
from std_srvs.srv import Trigger

try:
    from controller_manager_msgs.srv import ListControllers, SwitchController
except ImportError:  # comes with ros2_control, not with the wheels
    ListControllers = SwitchController = None

RETRY_PERIOD = 1.0  # s
MOST_UNANSWERED = 10
FINAL_SERVICE = parameter(
    '', 'service of the final action call_service, a std_srvs/Trigger; called every second until '
    'it answers', live=False)
FINAL_CONTROLLERS = parameter(
    (), 'controllers that the final action call_service deactivates; final_service is then a '
    'controller_manager_msgs/SwitchController, such as /controller_manager/switch_controller',
    live=False)


class FinalService:
    """
    A service that is called until what it is for has happened, and never waited for.

    It may not be there when it is needed, a request to one that is just coming up, or that is
    killed, can be lost, and a controller manager may refuse: until it says yes, and until none of
    the controllers to deactivate is active, it is called again every second.

    Parameters
    ----------
    node : Node
        Owns the clients.
    name : str
        Of the service; may be empty where it is not needed.
    needed : bool
        Whether the final action is this call.
    controllers : sequence of str
        Controllers to deactivate: then the service is a controller manager's
        controller_manager_msgs/SwitchController, and ``list_controllers`` beside it tells what
        became of them; otherwise a std_srvs/Trigger.
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
        self._controllers = tuple(controllers)
        kind = SwitchController if controllers else Trigger
        self._request = (switch_request(SwitchController.Request(), controllers) if controllers
                         else Trigger.Request())
        self._client: Any = node.create_client(kind, name) if name else None
        self._lister: Any = (node.create_client(ListControllers, beside(name, 'list_controllers'))
                             if name and controllers else None)
        self._wanted = 0  # how many times the final action has come into force
        self._in_force = self._done = self._names_checked = False
        self._said: set[str] = set()
        self._next = -math.inf
        self._unanswered: list[Any] = []  # the requests, as futures

    def check(self, needed: bool) -> None:
        """Refuse a final action that has nothing to call."""
        if needed and not self._name:
            raise ConfigurationError(
                'parameter final_service: is empty, but final_action is call_service')

    def close(self) -> None:
        """Give the clients back; to be called when nothing more is to be called."""
        for client in (self._client, self._lister):
            if client is not None:
                self._destroy_client(client)
        self._client = self._lister = None

    def attend(self, wanted: bool) -> None:
        """
        Call it while it is wanted and has not done its work; the outcome becomes a log line.

        To be called regularly; while it is not wanted the names of the controllers are checked
        once, as soon as a controller manager is there.

        Parameters
        ----------
        wanted : bool
            Whether the final action is in force.
        """
        if not wanted:
            if self._in_force:
                self._forget()
            self._check_names()
            return
        if not self._in_force:
            self._in_force = True
            self._wanted += 1
        if self._client is None or self._done or self._clock() < self._next:
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
        future.add_done_callback(partial(self._on_answer, self._wanted))

    # -------------------------------------------------------------------------------- parts

    def _on_answer(self, wanted: int, future: Any) -> None:
        self._unanswered = [other for other in self._unanswered if other is not future]
        present = wanted == self._wanted and self._in_force
        if present and self._done:
            return  # to a request that was sent again
        succeeded, message = outcome(future.result())
        if not succeeded:
            self._complain(f'{self._name} refused: {message or "it gave no reason"}')
        elif present and self._lister is not None and self._lister.service_is_ready():
            listing = self._lister.call_async(ListControllers.Request())
            listing.add_done_callback(partial(self._on_listing, wanted, message))
        else:
            self._finish(present, message)

    def _on_listing(self, wanted: int, message: str, future: Any) -> None:
        """Believe the deactivation only where no controller is active any more."""
        present = wanted == self._wanted and self._in_force
        if present and self._done:
            return
        states = states_of(future.result())
        active = [name for name in self._controllers if states.get(name) == 'active']
        missing = [name for name in self._controllers if name not in states]
        if active:
            self._complain(f'{", ".join(active)} is still active')
        elif missing:
            self._complain(unknown(missing, states))
        else:
            self._finish(present, message)

    def _finish(self, present: bool, message: str) -> None:
        self._done = present or self._done
        self._logger.warning(f'final action: {self._name} was called: {message}')

    def _check_names(self) -> None:
        """Say before it matters that a controller does not exist."""
        if (self._names_checked or self._lister is None or self._clock() < self._next
                or not self._lister.service_is_ready()):
            return
        self._next = self._clock() + RETRY_PERIOD
        future = self._lister.call_async(ListControllers.Request())
        future.add_done_callback(self._on_names)

    def _on_names(self, future: Any) -> None:
        states = states_of(future.result())
        missing = [name for name in self._controllers if name not in states]
        if missing:
            self._complain(unknown(missing, states))
        self._names_checked = not missing

    def _complain(self, problem: str) -> None:
        """Say once what prevents the final action."""
        if problem not in self._said:
            self._said.add(problem)
            self._logger.error(f'final action: {problem}; tried again every second')

    def _forget(self) -> None:
        """Be ready for the next time."""
        self._in_force = self._done = False
        self._said.clear()
        self._next = -math.inf
        self._unanswered = []


def beside(service: str, name: str) -> str:
    """Return the name of another service of the same node."""
    return service.rpartition('/')[0] + '/' + name if '/' in service else name


def switch_request(request: Any, controllers: Sequence[str]) -> Any:
    """Fill a SwitchController request that deactivates controllers, as far as they are active."""
    request.deactivate_controllers = list(controllers)
    request.strictness = 1  # BEST_EFFORT: one that is inactive already does no harm
    return request


def states_of(response: Optional[Any]) -> dict[str, str]:
    """Read the states of controllers by name of a ListControllers response, or of none."""
    return {} if response is None else {
        controller.name: controller.state for controller in response.controller}


def unknown(missing: Sequence[str], states: dict[str, str]) -> str:
    """Tell which controllers do not exist, and which do."""
    return (f'final_controllers names {", ".join(missing)}, which the controller manager does not '
            f'have (it has {", ".join(sorted(states)) or "none"})')


def outcome(response: Any) -> tuple[bool, str]:
    """Read success and message of a Trigger or SwitchController response, or of none."""
    if response is None:
        return False, 'no answer'
    succeeded = getattr(response, 'success', getattr(response, 'ok', False))
    return bool(succeeded), str(getattr(response, 'message', ''))
