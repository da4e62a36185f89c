"""Scripts that trained or measured the models and images in `lib/datasets`, and can do so again."""
