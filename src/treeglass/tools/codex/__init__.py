"""`list_dir` and `read_file`: text in lines, errors as one sentence for the model."""
