"""What the tests in this folder share: their command line, the run that they are made on, and a check."""
import argparse
import pathlib
import shutil
import subprocess


def check(good, text):
    if not good:
        raise AssertionError(text)


def made_run(name, *sizes):
    """The command cpl-lb and the test's folder, which then holds this run of page_runs and nothing else."""
    parser = argparse.ArgumentParser()
    for option in ('command', 'runs', 'folder'):
        parser.add_argument('--' + option, required=True)
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([options.runs, name, str(folder), *sizes], check=True)
    return options.command, folder
