"""Tents & Trees: every tree gets a tent of its own beside it, and no two tents touch."""
