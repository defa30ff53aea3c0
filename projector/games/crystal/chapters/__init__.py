"""The chapters of the rulebook: rules, what their lines do, and what of them is offered."""
