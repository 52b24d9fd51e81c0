import importlib.util

from house import ROOT
import pytest

pytest.importorskip('rclpy')


def test_the_page_of_parameters_is_what_the_nodes_declare():
    path = ROOT / 'docs/generate_parameters.py'
    spec = importlib.util.spec_from_file_location('generate_parameters', path)
    assert spec is not None and spec.loader is not None
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.PAGE.read_text(encoding='utf-8') == generator.page(), (
        'run: python docs/generate_parameters.py')
