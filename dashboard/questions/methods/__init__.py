"""Answers that SQL cannot work out: a question names its method, whose `answer` turns the rows of the SQL into its own.

Every method reads its rows sorted by game and ruleset, and treats each of these groups by itself.
"""
