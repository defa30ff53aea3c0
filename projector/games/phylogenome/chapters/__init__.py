"""The chapters of the rulebook: what a line needs, what it does and what of it is offered stand together."""
