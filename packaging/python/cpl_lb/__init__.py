"""The results of coupled runs, as xarray and pandas read them.

    import cpl_lb
    run = cpl_lb.open('results')
    run.balance                      # pandas: a row for each component
    run.steps.loc['ocean']           # pandas: a row for each coupling step
    run.timeline('ocean')            # xarray: every event on every process, read when it is needed

    runs = cpl_lb.open_all(glob.glob('runs/*'))  # pandas: a row for each run

Whatever cannot be read is a cpl_lb.Error with one line that says what and where. docs/python.md has the names and units.
"""
from cpl_lb.errors import Error
from cpl_lb.runs import Run, open_all

__all__ = ['Error', 'Run', 'open', 'open_all']


def open(folder):  # as xarray and others call it; hides the built-in function in this file only
    """The run whose results lie in this folder (cn_dir of the namelist)."""
    return Run(folder)
