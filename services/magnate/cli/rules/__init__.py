"""`magnate rules`: which rule sets and boards there are, what they say, and whether own ones are right."""
