"""The designer's own rulebook: its file as sentences, and where in it stands what the rules cite.

`text` reads the file, `anchors` knows the text that a game's rules were written from without holding any of it,
`placing` finds the cited sentences in any other text, `kept` looks after the file in the workspace, `changes` sets two
texts beside each other.
"""
