"""`magnate watch`: one game as it goes on, in a terminal window or line by line."""
