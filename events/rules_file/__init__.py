"""The rules of a game as its file states them, sentence by sentence: read, typed and compiled.

`reading` makes `Rules` of the tables of a file and gives all its mistakes at once; `parser` reads an expression, whose
truth has three values (`values`). What a line makes of it is judged in `projector.tabletop`.
"""
