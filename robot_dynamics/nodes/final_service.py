"""The service that the final action asks for: deactivate controllers, set the brakes."""

from __future__ import annotations

from typing import Any, Sequence

from rclpy.node import Node
from robot_dynamics.core.errors import ConfigurationError
from std_srvs.srv import Trigger

try:
    from controller_manager_msgs.srv import SwitchController
except ImportError:  # comes with ros2_control, not with the wheels
    SwitchController = None


class FinalService:
    """
    A service that is called once, and never waited for.

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

    Raises
    ------
    ConfigurationError
        If it is needed and has no name, or controllers are named where controller_manager_msgs
        is not installed.
    """

    def __init__(self, node: Node, name: str, needed: bool,
                 controllers: Sequence[str] = ()) -> None:
        self._name = name
        self.check(needed)
        if controllers and SwitchController is None:
            raise ConfigurationError(
                'parameter final_controllers: needs controller_manager_msgs, which is not '
                'installed; install ros2_control, or name a std_srvs/Trigger service alone')
        self._logger = node.get_logger()
        kind = SwitchController if controllers else Trigger
        self._request = (switch_request(SwitchController.Request(), controllers) if controllers
                         else Trigger.Request())
        self._client: Any = node.create_client(kind, name) if name else None

    def check(self, needed: bool) -> None:
        """Refuse a final action that has nothing to call."""
        if needed and not self._name:
            raise ConfigurationError(
                'parameter final_service: is empty, but final_action is call_service')

    def call(self) -> None:
        """Call it; the outcome becomes a log line."""
        if self._client is None:
            return
        if not self._client.service_is_ready():
            self._logger.error(f'final action: nobody offers the service {self._name}')
            return
        self._client.call_async(self._request).add_done_callback(self._on_done)

    def _on_done(self, future: Any) -> None:
        succeeded, message = outcome(future.result())
        if succeeded:
            self._logger.warning(f'final action: {self._name} was called: {message}')
        else:
            self._logger.error(f'final action: {self._name} failed: {message}')


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
