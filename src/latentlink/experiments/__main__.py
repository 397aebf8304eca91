"""Entry point of ``python -m latentlink.experiments NAME``, the same as ``latentlink reproduce NAME``."""

import sys

from latentlink.cli import main

if __name__ == "__main__":
    main(["reproduce", *sys.argv[1:]])
