"""Query plans as plain data: steps and expressions, with the rules that derive lineage and caveats from them."""
