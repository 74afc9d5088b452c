"""Kakuro: fill the white cells so that every run makes its sum with different values."""
