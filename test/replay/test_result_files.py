"""Every file that an analysis leaves holds what the result holds."""

from __future__ import annotations

from html.parser import HTMLParser
import json
from pathlib import Path
import re
from typing import Any, List

import numpy as np
import pytest
from replay_bags import PA10, Truth, write

from robot_dynamics.bags.reading import Recording
from robot_dynamics.core.errors import BagError, ConfigurationError
from robot_dynamics.replay.outputs import FILES, Outputs, write_outputs
from robot_dynamics.replay.replay import analyze_bag, ReplayOptions
from robot_dynamics.replay.text_report import text_report


@pytest.fixture(scope='module')
def written(motion: Truth, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Analyse a recording with a gap, write all files; give result and directory."""
    folder = tmp_path_factory.mktemp('files')
    keep = np.r_[0:700, 800:1200]
    part = motion.changed(stamp_ns=motion.stamp_ns[keep], q=motion.q[keep], qd=motion.qd[keep],
                          effort=motion.effort[keep])
    bag = write(folder / 'gap.mcap', part)
    with analyze_bag(bag, PA10) as result:
        write_outputs(result, Outputs(str(folder / 'out'), tuple(FILES)))
        yield result, folder / 'out'


def test_all_files_are_there_and_no_scratch_is_left(written: Any) -> None:
    assert sorted(path.name for path in written[1].iterdir()) == sorted(FILES.values())


def test_the_summary_is_the_result(written: Any) -> None:
    result, folder = written
    data = json.loads((folder / 'summary.json').read_text())
    assert data == json.loads(json.dumps(result.to_dict()))
    assert data['samples'] == 1100 and len(data['joints']) == 6


def test_parquet_and_csv_hold_the_same_series(written: Any) -> None:
    import pandas
    result, folder = written
    table = pandas.read_parquet(folder / 'series.parquet')
    text = pandas.read_csv(folder / 'series.csv')
    assert list(table.columns) == list(text.columns)
    assert len(table) == len(text) == result.samples
    blocks = list(result.blocks())
    computed = np.concatenate([block.computed[:, 1] for block in blocks])
    assert np.array_equal(table['joint2/computed'], computed)
    assert np.allclose(text['joint2/computed'], computed)
    assert np.array_equal(table['stamp_ns'],
                          np.concatenate([block.samples.stamp_ns for block in blocks]))
    assert np.allclose(table['joint3/measured'] - table['joint3/computed'],
                       table['joint3/residual'])
    valid = table[table['valid']]
    assert len(valid) == result.valid_samples
    assert valid['joint2/residual'].std() == pytest.approx(
        result.joint('joint2').residual_rms, rel=0.02)


def test_the_replay_recording_has_named_efforts_on_the_original_stamps(written: Any) -> None:
    result, folder = written
    with Recording(folder / 'replay.mcap') as recording:
        topics = {channel.topic: channel for channel in recording.channels}
        assert {'/replay/computed', '/replay/fixed_base', '/replay/residual',
                '/replay/cause/gravity', '/replay/cause/tilt',
                '/replay/deck_wrench'} <= set(topics)
        assert {channel.count for channel in topics.values()} == {result.valid_samples}
        blocks = list(result.blocks())
        valid = np.concatenate([block.samples.valid for block in blocks])
        stamps = np.concatenate([block.samples.stamp_ns for block in blocks])[valid]
        computed = np.concatenate([block.computed for block in blocks])[valid]
        for row, (_, logged, raw) in enumerate(recording.messages(['/replay/computed'])):
            message = recording.deserialize(raw, 'sensor_msgs/msg/JointState')
            stamp = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
            assert stamp == logged == stamps[row]
            assert tuple(message.name) == result.joint_names
            assert np.array_equal(message.effort, computed[row])


def test_the_replay_recording_stands_beside_one_whose_recorder_has_another_clock(
        motion: Truth, tmp_path: Path) -> None:
    from robot_dynamics.bags.writing import RecordingWriter
    from robot_dynamics.replay.replay_bag import write_replay_bag
    day = 86_400_000_000_000
    with RecordingWriter(tmp_path / 'a.mcap') as bag:
        bag.joint_states(motion.stamp_ns, motion.names, motion.q, motion.qd, motion.effort,
                         recorder_ns=motion.stamp_ns + day)
    with analyze_bag(tmp_path / 'a.mcap', PA10, ReplayOptions(imu_topic='none')) as result:
        write_replay_bag(result, tmp_path / 'replay.mcap')
    with Recording(tmp_path / 'replay.mcap') as recording:
        _, logged, _ = next(recording.messages(['/replay/computed']))
    assert motion.stamp_ns[0] <= logged - day <= motion.stamp_ns[30]


class Page(HTMLParser):
    """Collects headings and checks that tags nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: List[str] = []
        self.headings: List[str] = []
        self.figures = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ('meta', 'link', 'br', 'img'):
            self.open.append(tag)
        self.figures += tag == 'svg'

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ('h1', 'h2'):
            self.headings.append(data)


def test_the_report_answers_in_order_and_needs_no_other_file(written: Any) -> None:
    text = (written[1] / 'report.html').read_text()
    page = Page()
    page.feed(text)
    assert page.open == []
    assert page.figures == 4
    assert [h for h in page.headings if h[0].isdigit()] == [
        '1. Did the model explain the effort?', '2. What caused the torque?',
        '3. What was the base doing?', '4. Gaps, saturation, delays']
    outside = re.findall(r'(?:src|href)="(?!#|data:)([^"]*)"', text)
    assert outside == []
    assert 'url(http' not in text and '@import' not in text
    assert '1 gaps' in text and 'joint6' in text


def test_ids_of_figures_do_not_collide(written: Any) -> None:
    text = (written[1] / 'report.html').read_text()
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'url\(#([^)]+)\)', text)) | set(re.findall(r'href="#([^"]+)"', text))
    assert used <= set(ids)


def test_names_from_the_recording_cannot_inject_markup(motion: Truth, tmp_path: Path) -> None:
    from robot_dynamics.replay.report import html_report
    bad = '<script>alert(1)</script>'
    path = write(tmp_path / f'{bad.replace("/", "")}.mcap', motion,
                 names=[*motion.names[:5], bad], imu=False)
    with analyze_bag(path, PA10) as result:
        assert any(bad in finding.text for finding in result.findings)
        assert '<script' not in html_report(result)


def test_the_text_says_loudly_that_there_was_no_imu(motion: Truth, tmp_path: Path) -> None:
    with analyze_bag(write(tmp_path / 'a.mcap', motion, imu=False), PA10) as result:
        text = text_report(result)
    assert '!! a.mcap: NO BASE MOTION' in text
    assert 'assumed level and still' in text
    assert max(map(len, text.splitlines()[:6])) <= 99


def test_a_closed_result_keeps_its_statistics_but_not_the_series(bag: Path, tmp_path: Path
                                                                 ) -> None:
    with analyze_bag(bag, PA10) as result:
        pass
    assert result.joint('joint2').samples > 1000
    with pytest.raises(RuntimeError, match='closed'):
        result.blocks()


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ConfigurationError, match='xlsx.*parquet'):
        Outputs('somewhere', ('xlsx',))


def test_a_recording_is_never_overwritten(bag: Path) -> None:
    from robot_dynamics.bags.writing import RecordingWriter
    with pytest.raises(BagError, match='exists already'):
        RecordingWriter(bag)


def test_an_arm_that_stood_still_is_judged_by_its_residual(motion: Truth, tmp_path: Path) -> None:
    still = motion.changed(q=0 * motion.q + 0.5, qd=0 * motion.qd)
    computed = analyze_bag(write(tmp_path / 'a.mcap', still, imu=False), PA10)
    torque = np.array([joint.computed_rms for joint in computed.joints])
    noise = np.random.default_rng(2).normal(size=motion.effort.shape)
    sign = np.concatenate([block.computed for block in computed.blocks()])
    sign = np.sign(np.nanmean(sign, axis=0))
    path = write(tmp_path / 'b.mcap', still.changed(effort=sign * torque * (1 + 0.01 * noise)),
                 imu=False)
    result = analyze_bag(path, PA10)
    assert not result.joint('joint2').varied
    text = ' '.join(text_report(result).split())
    assert 'joint2' in text and 'hardly varied' in text and '(1.0 %)' in text
    assert '< 0 %' not in text


def test_names_that_would_act_are_printed_as_they_are(motion: Truth, tmp_path: Path) -> None:
    bad = 'joint\x1b[31m\nevil'
    path = write(tmp_path / 'a.mcap', motion, names=[*motion.names[:5], bad], imu=False)
    text = text_report(analyze_bag(path, PA10))
    assert '\x1b' not in text and r'joint\x1b[31m\nevil' in text


def test_a_header_that_a_spreadsheet_would_compute_is_quoted(motion: Truth, tmp_path: Path
                                                             ) -> None:
    urdf = PA10.read_text(encoding='utf-8').replace('"joint1"', '"=1+1"')
    path = write(tmp_path / 'a.mcap', motion, names=['=1+1', *motion.names[1:]])
    with analyze_bag(path, urdf) as result:
        write_outputs(result, Outputs(str(tmp_path), ('csv',)))
    header = (tmp_path / 'series.csv').read_text().splitlines()[0]
    assert '"\'=1+1/position"' in header and '"=1' not in header
