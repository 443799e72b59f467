"""The commands that check, test and measure, and the browsers that they need."""
