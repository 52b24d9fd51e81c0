"""What knowing the base is worth at sea: the runs side by side, and the targets."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence

from robot_dynamics.app.demo.outcome import Target
from robot_dynamics.app.demo.runs import DemoOptions, Mode, Run
from robot_dynamics.app.demo.sea_variants import (
    FIXED, NO_FORCE, OURS, Variant, VariantRun, VARIANTS)
from robot_dynamics.app.demo.wording import shown
from robot_dynamics.app.table import table
from robot_dynamics.estimation.estimators import ADAPTIVE, SAVITZKY_GOLAY
from robot_dynamics.simulation.motions import paper_sinusoid
from robot_dynamics.simulation.tracking_statistics import tracking_error

PAPER_TARGET = 40.0  # times smaller than with a fixed base, on the paper's ship
SEA_TARGET = 20.0    # in an irregular sea
LEAD_IN = 6.0        # s; the estimator has seen some waves then


def mode_of(variant: Variant) -> Mode:
    """Return how a variant is run over DDS."""
    return Mode(variant.key, variant.label, 'fixed' if variant is FIXED else 'moving',
                estimator=ADAPTIVE if variant in (FIXED, OURS) else SAVITZKY_GOLAY)


@dataclasses.dataclass(frozen=True, eq=False)
class SeaOutcome:
    """
    What the demo at sea shows.

    Attributes
    ----------
    options : DemoOptions
    plain : mapping of str to VariantRun
        By the key of the variant: in plain objects.
    dds : mapping of str to float
        Tracking RMS over DDS of the variants that were run so, rad.
    wall_time : float
        Of everything, s.
    """

    options: DemoOptions
    plain: Mapping[str, VariantRun]
    dds: Mapping[str, float]
    wall_time: float

    def ratio(self, key: str) -> float:
        """How many times smaller than with a fixed base the tracking error is."""
        return self.plain[FIXED.key].tracking / self.plain[key].tracking

    @property
    def dds_ratio(self) -> float:
        """The same of our estimator over DDS."""
        return self.dds[FIXED.key] / self.dds[OURS.key]

    @property
    def targets(self) -> Sequence[Target]:
        """The targets, met or not."""
        least = SEA_TARGET if self.options.sea_state else PAPER_TARGET
        return [Target(f'{where}: tracking with prediction at least {least:g} times better than '
                       'with a fixed base', f'{shown(ratio)} times', ratio >= least)
                for where, ratio in (('over DDS', self.dds_ratio),
                                     ('plain objects', self.ratio(OURS.key)))]


def sea_outcome(runs: Mapping[str, Run], plain: Mapping[str, VariantRun], options: DemoOptions,
                wall_time: float) -> SeaOutcome:
    """Put the runs over DDS and those in plain objects side by side."""
    reference = paper_sinusoid()
    return SeaOutcome(options, plain, {
        key: float(tracking_error(run.trace, reference, run.epoch, 0.0, options.duration).overall)
        for key, run in runs.items()}, wall_time)


def headline(options: DemoOptions) -> str:
    """Say what is shown."""
    sea = f'in sea state {options.sea_state}' if options.sea_state else 'as in the paper'
    return (f'What knowing the base is worth: PA10 on a ship {sea}, {options.base_distance:g} m '
            'from its rotation centre')


def as_text(outcome: SeaOutcome) -> str:
    """Return the table and the targets."""
    rows: List[List[str]] = []
    for variant in VARIANTS:
        run = outcome.plain[variant.key]
        over_dds = outcome.dds.get(variant.key)
        rows.append([variant.label, _short(1e3 * run.tracking),
                     shown(outcome.ratio(variant.key)), _short(run.torque), _short(run.step),
                     '' if over_dds is None else _short(1e3 * over_dds)])
    lines = [headline(outcome.options), '', table(
        ['what the feedforward knows of the base', 'tracking mrad', 'fixed / this', 'torque Nm',
         'steps Nm', 'over DDS mrad'], rows, left=1), '',
        'tracking, torque: RMS error over all joints; steps: RMS change of the torque error from',
        'one command to the next, worst joint.', _loss(outcome), '']
    return '\n'.join(lines + [
        f'{"met    " if target.met else "NOT MET"}  {target.text}: {target.value}'
        for target in outcome.targets])


def write_summary(outcome: SeaOutcome, path: Path) -> None:
    """Write everything that was measured; angles in rad, torques in Nm."""
    variants: Dict[str, Any] = {}
    for variant in VARIANTS:
        run = outcome.plain[variant.key]
        variants[variant.key] = {
            'label': variant.label, 'tracking_rms_rad': run.tracking,
            'fixed_over_this': outcome.ratio(variant.key), 'torque_rms_nm': run.torque,
            'torque_step_rms_nm': run.step, 'dds_tracking_rms_rad': outcome.dds.get(variant.key)}
    path.write_text(json.dumps({
        'options': dataclasses.asdict(outcome.options), 'variants': variants,
        'dds_fixed_over_ours': outcome.dds_ratio, 'wall_time_s': outcome.wall_time,
        'targets': [dataclasses.asdict(target) for target in outcome.targets],
    }, indent=2) + '\n', encoding='utf-8')


def _loss(outcome: SeaOutcome) -> str:
    ratio = outcome.plain[NO_FORCE.key].tracking / outcome.plain[OURS.key].tracking
    if ratio < 1.0:
        return ('At the rotation centre of this ship the accelerometer adds nothing but its '
                f'noise: without it the error is {shown(ratio)} times that with it.')
    return ('Without the accelerometer heave and lever arm are not seen: the tracking error is '
            f'{shown(ratio)} times that with it.')


def _short(value: float) -> str:
    return f'{value:.3g}' if value > 1e-6 else '0'
