"""One file a command: each takes parsed options, returns an exit code, and prints through `render`."""
