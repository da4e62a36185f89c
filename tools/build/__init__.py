"""Build, serve and print the site. `sources` defines what each build product depends on."""
