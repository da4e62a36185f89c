"""What makes the site of its sources, serves and prints it. `sources` says what each built thing depends on."""
