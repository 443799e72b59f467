"""Globs, ignore files and regexes, matched in linear time; no policy of a tool."""
