"""Stored games read: audited, and shown step by step."""
