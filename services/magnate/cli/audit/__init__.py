"""`magnate audit`: re-reads tables or the whole log, checks all that can be checked, signs what it found."""
