"""``python -m latentlink`` is the command line."""

from latentlink.cli import main

if __name__ == "__main__":
    main()
