"""The form filler of the paper, distilled from nothing to a report."""
