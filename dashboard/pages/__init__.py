"""The pages of the dashboard, one function a page."""
