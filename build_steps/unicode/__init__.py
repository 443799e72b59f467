"""Write the Unicode tables of the regexes."""
