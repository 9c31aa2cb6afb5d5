"""`magnate terminal`: the electronic unit of the box, drawn in a terminal window."""
