"""Readers of what people already have; each yields drafts and writes nothing."""
