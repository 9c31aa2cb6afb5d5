"""What every service shares; knows no word of the game."""
