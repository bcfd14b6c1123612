"""What sweeps showed, to read and to hand on."""
