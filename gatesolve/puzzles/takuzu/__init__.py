"""Takuzu (Binairo), zeros and ones, half of each in every line, never three equal in line; and what Tango shares."""
