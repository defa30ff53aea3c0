"""Stored games read: audited, compared under two rulesets, shown step by step."""
