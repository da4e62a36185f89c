"""What trained or measured the models and pictures in `lib/datasets`, and can do it again."""
