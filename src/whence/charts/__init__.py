"""Charts in which every mark knows its rows: the grammar, its compiler to SQL, and the picture in Vega-Lite."""
