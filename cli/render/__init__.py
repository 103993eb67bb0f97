"""The forms in which results are shown, one small file each; what is shown is decided in `page`."""
