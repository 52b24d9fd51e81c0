"""The service that the final action asks for: deactivate a controller, set the brakes."""

from __future__ import annotations

from typing import Any

from rclpy.node import Node
from robot_dynamics.core.errors import ConfigurationError
from std_srvs.srv import Trigger


class FinalService:
    """
    A std_srvs/Trigger service that is called once, and never waited for.

    Parameters
    ----------
    node : Node
        Owns the client.
    name : str
        Of the service; may be empty where it is not needed.
    needed : bool
        Whether the final action is this call.

    Raises
    ------
    ConfigurationError
        If it is needed and has no name.
    """

    def __init__(self, node: Node, name: str, needed: bool) -> None:
        if needed and not name:
            raise ConfigurationError(
                'parameter final_service: is empty, but final_action is call_service')
        self._logger = node.get_logger()
        self._name = name
        self._client: Any = node.create_client(Trigger, name) if name else None

    def call(self) -> None:
        """Call it; the outcome becomes a log line."""
        if self._client is None:
            return
        if not self._client.service_is_ready():
            self._logger.error(f'final action: nobody offers the service {self._name}')
            return
        self._client.call_async(Trigger.Request()).add_done_callback(self._on_done)

    def _on_done(self, future: Any) -> None:
        response = future.result()
        if response is not None and response.success:
            self._logger.warning(f'final action: {self._name} was called: {response.message}')
        else:
            self._logger.error(
                f'final action: {self._name} failed: {getattr(response, "message", "no answer")}')
