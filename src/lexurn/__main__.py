"""``python -m lexurn`` is the command ``lexurn``."""

from lexurn.cli import main

if __name__ == "__main__":
    main()
