"""The datasets: what replays tell, as flat typed Parquet files that questions are asked of.

`columns` says what there is, `rows` makes a game's rows, `packs` keeps many games in few files, `manifest` says which
files count, `build` brings all of it up to date with the log.
"""
