"""What makes data to measure and train on: analogies, set operations."""
