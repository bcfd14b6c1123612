"""An order desk whose environment has a state: orders, which its tools show and cancel."""
