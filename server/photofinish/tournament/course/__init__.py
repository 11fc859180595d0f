"""What happens next in an event: start, plan, due, closing, chance. Pure."""
