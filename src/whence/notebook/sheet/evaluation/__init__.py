"""What the cells of a sheet hold, concept by concept: types, leaves, single cells, areas, whole columns, conditions."""
