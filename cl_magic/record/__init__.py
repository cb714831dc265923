"""What a run left: events, transfers, captures, summary."""
