"""The arguments that many commands take."""

import argparse

from tapes_app.management.arguments import option, read_settings, settings_option


def test_settings_that_are_given_apart_all_count() -> None:
    parser = argparse.ArgumentParser()
    settings_option("parameters")(parser)

    apart = parser.parse_args(["--set", "epochs=1", "--set", "seed=2", "name=x"])
    untold = parser.parse_args([])

    assert read_settings(apart.set) == {"epochs": 1, "seed": 2, "name": "x"}
    assert untold.set == []


def test_an_option_of_several_values_loses_none() -> None:
    parser = argparse.ArgumentParser()
    option("--at", type=int, nargs="+")(parser)
    option("ids", nargs="*")(parser)

    read = parser.parse_args(["7", "8", "--at", "1", "2", "--at", "3"])

    assert (read.at, read.ids) == ([1, 2, 3], ["7", "8"])
