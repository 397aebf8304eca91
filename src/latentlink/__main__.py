"""Entry point of ``python -m latentlink``, the command line."""

from latentlink.cli import main

if __name__ == "__main__":
    main()
