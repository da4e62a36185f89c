"""What the kernels load that execute chapters for the site. Who runs a chapter elsewhere has nothing of it."""
