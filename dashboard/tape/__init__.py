"""The Python interface: a workspace as one object, whose answers are typed, become Arrow and show themselves."""
