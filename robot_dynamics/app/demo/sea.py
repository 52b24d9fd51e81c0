"""The demo at sea: what each piece of knowledge about the base is worth to the PA10."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, ClassVar, Dict, List, Mapping, Sequence

from robot_dynamics.app.demo.formatting import shown
from robot_dynamics.app.demo.outcome import Target, Tracking, tracking
from robot_dynamics.app.demo.pa10 import pa10_dynamics, Pa10Demo
from robot_dynamics.app.demo.runs import Mode, Run
from robot_dynamics.app.demo.sea_variants import (
    FIXED, NO_FORCE, OURS, run_variant, VariantRun, VARIANTS)
from robot_dynamics.app.progress import Progress
from robot_dynamics.core.table import table
from robot_dynamics.simulation.motions import demo_sinusoid

PAPER_TARGET = 40.0  # times smaller than with a fixed base, on the paper's ship
SEA_TARGET = 20.0    # in an irregular sea
LEAD_IN = 6.0        # s; the estimator has seen some waves then


@dataclasses.dataclass(frozen=True, eq=False)
class SeaOutcome:
    """What the demo at sea shows."""

    tracking: Tracking  #: Over DDS, of the variants that were run so
    plain: Mapping[str, VariantRun]  #: By the key of the variant: in plain objects

    def ratio(self, key: str) -> float:
        """How many times smaller than with a fixed base the tracking error is."""
        return self.plain[FIXED.key].tracking / self.plain[key].tracking

    @property
    def dds_ratio(self) -> float:
        """The same of our estimator over DDS."""
        return self.tracking.ratio(FIXED.mode, OURS.mode)

    @property
    def targets(self) -> Sequence[Target]:
        """The targets, met or not."""
        scenario: Any = self.tracking.scenario
        least = SEA_TARGET if scenario.sea_state else PAPER_TARGET
        return [Target(f'{where}: tracking with prediction at least {least:g} times better than '
                       'with a fixed base', f'{shown(ratio)} times', ratio >= least)
                for where, ratio in (('over DDS', self.dds_ratio),
                                     ('plain objects', self.ratio(OURS.key)))]

    def lines(self) -> List[str]:
        """Return headline and table."""
        rows = []
        for variant in VARIANTS:
            run, over_dds = self.plain[variant.key], self.tracking.errors.get(variant.key)
            rows.append([variant.label, _short(1e3 * run.tracking),
                         shown(self.ratio(variant.key)), _short(run.torque), _short(run.step),
                         '' if over_dds is None else _short(1e3 * over_dds.overall)])
        return [
            headline(self.tracking.scenario), '', table(
                ['what the feedforward knows of the base', 'tracking mrad', 'fixed / this',
                 'torque Nm', 'steps Nm', 'over DDS mrad'], rows, left=1), '',
            'tracking, torque: RMS error over all joints; steps: RMS change of the torque error '
            'from', 'one command to the next, worst joint.', self._loss(), '']

    def figures(self) -> Dict[str, Any]:
        """Return what the summary holds beyond tracking over DDS."""
        errors = self.tracking.errors
        return {
            'variants': {variant.key: {
                'label': variant.label,
                'tracking_rms_rad': self.plain[variant.key].tracking,
                'fixed_over_this': self.ratio(variant.key),
                'torque_rms_nm': self.plain[variant.key].torque,
                'torque_step_rms_nm': self.plain[variant.key].step,
                'dds_tracking_rms_rad': (
                    errors[variant.key].overall if variant.key in errors else None)}
                         for variant in VARIANTS},
            'dds_fixed_over_ours': self.dds_ratio}

    def _loss(self) -> str:
        ratio = self.plain[NO_FORCE.key].tracking / self.plain[OURS.key].tracking
        if ratio < 1.0:
            return ('At the rotation centre of this ship the accelerometer adds nothing but its '
                    f'noise: without it the error is {shown(ratio)} times that with it.')
        return ('Without the accelerometer heave and lever arm are not seen: the tracking error '
                f'is {shown(ratio)} times that with it.')


@dataclasses.dataclass(frozen=True)
class SeaDemo(Pa10Demo):
    """All variants in plain objects, and the main ones over DDS."""

    modes: ClassVar[Sequence[Mode]] = tuple(
        variant.mode for variant in VARIANTS if variant.changes)
    figure: ClassVar[str] = 'at_sea.png'

    def outcome(self, runs: Mapping[str, Run], progress: Progress) -> Any:
        """Run the variants in plain objects; put them and the runs over DDS side by side."""
        dynamics, plain = pa10_dynamics(self.scenario, 'interpreted'), {}
        for index, variant in enumerate(VARIANTS):
            progress(f'{index + 1} of {len(VARIANTS)} in plain objects, {variant.label}')
            plain[variant.key] = run_variant(variant, dynamics.model, self.scenario)
        return SeaOutcome(tracking(runs, self.scenario, demo_sinusoid(), dynamics),
                          plain)

    def draw(self, outcome: Any, path: Path) -> None:
        """Draw the ship's motion, the tracking error over time, and both by variant."""
        from robot_dynamics.app.demo.sea_figure import draw
        draw(outcome, path)


def headline(scenario: Any) -> str:
    """Say what is shown."""
    sea = f'in sea state {scenario.sea_state}' if scenario.sea_state else 'as in the paper'
    return (f'What knowing the base is worth: PA10 on a ship {sea}, {scenario.base_distance:g} m '
            'from its rotation centre')


def _short(value: float) -> str:
    return f'{value:.3g}' if value > 1e-6 else '0'
