"""The parts of the evaluator: column types, cells without formulas, formula cells, areas, whole columns, conditions."""
