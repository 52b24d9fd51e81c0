"""The demo at sea, from its options to table, figure and summary."""

from __future__ import annotations

import argparse
import time

from robot_dynamics.app.progress import Progress
from robot_dynamics.core.errors import ConfigurationError
from robot_dynamics.core.gate import as_scalar

_NOT_AT_SEA = ('friction', 'real_time', 'record')


def is_asked_for(args: argparse.Namespace) -> bool:
    """Whether the options ask for this demo."""
    return args.sea_state is not None or args.base_distance is not None


def run_at_sea(args: argparse.Namespace) -> int:
    """Run the variants in plain objects and the main ones over DDS; print, draw, write."""
    for name in _NOT_AT_SEA:
        if getattr(args, name):
            raise ConfigurationError(
                f'--{name.replace("_", "-")}: not together with --sea-state or --base-distance')
    if args.sea_state is not None and not 1 <= args.sea_state <= 8:
        raise ConfigurationError(f'--sea-state {args.sea_state}: expected 1 to 8')
    distance = as_scalar('--base-distance', args.base_distance or 0.0, -200.0, 200.0, 'm')
    from robot_dynamics.app.demo.outcome import pa10_dynamics
    from robot_dynamics.app.demo.requirements import require_ros
    from robot_dynamics.app.demo.runs import DemoOptions, make_run
    from robot_dynamics.app.demo.sea_figure import draw
    from robot_dynamics.app.demo.sea_outcome import (
        as_text, LEAD_IN, mode_of, sea_outcome, write_summary)
    from robot_dynamics.app.demo.sea_variants import run_variant, VARIANTS
    require_ros()
    options = DemoOptions(
        args.method, mass_error_percent=args.mass_error, sea_state=args.sea_state or 0,
        base_distance=distance, lead_in=LEAD_IN)
    args.output.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    runs, plain = {}, {}
    over_dds = [variant for variant in VARIANTS if variant.dds]
    with Progress('demo at sea') as progress:
        dynamics = pa10_dynamics(options)
        dynamics.warm_up('torque', 'batch', 'terms', 'mass_matrix', progress=progress)
        for index, variant in enumerate(VARIANTS):
            progress(f'{index + 1} of {len(VARIANTS)} in plain objects, {variant.label}')
            plain[variant.key] = run_variant(variant, dynamics.model, options)
        for index, variant in enumerate(over_dds):
            runs[variant.key] = make_run(
                mode_of(variant), options, args.output / 'logs' / variant.key,
                lambda done: progress(
                    f'{index + 1} of {len(over_dds)} over DDS, {variant.label}', done))
        progress('drawing')
        outcome = sea_outcome(runs, plain, options, time.monotonic() - begin)
        write_summary(outcome, args.output / 'summary.json')
        draw(outcome, args.output / 'at_sea.png')
    print(as_text(outcome))
    print(f'figure: {args.output / "at_sea.png"}, figures: {args.output / "summary.json"}')
    return 0
