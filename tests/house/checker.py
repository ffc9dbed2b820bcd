"""How the checks in this folder say what they found."""


def report(problems, good):
    """Prints each problem and their number, or `good`; the exit status."""
    found = list(problems)
    for problem in found:
        print(problem)
    print(f"{len(found)} wrong" if found else good)
    return 1 if found else 0
