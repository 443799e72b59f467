"""The playground as one file that opens from disk: `bundle --single-file`."""
