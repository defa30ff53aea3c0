"""The script that Streamlit runs, in a folder of its own.

Streamlit puts the folder of its script first on the path, where no module may hide another one, and takes a folder
`pages` beside it for scripts.
"""
