"""`python -m cli`: the same as the command `gpu-advisor`."""

from cli.app import main

if __name__ == "__main__":
    main()
