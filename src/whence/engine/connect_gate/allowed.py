"""What a Python cell may ask of Spark Connect, by the names of Spark's protocol, and which settings it may change."""

from __future__ import annotations

from whence.engine.sql_allowed import words

CHOICES: dict[str, tuple[str, frozenset[str]]] = {
    "spark.connect.Plan": ("op_type", words("root command")),
    "spark.connect.Command": (
        "command_type",
        words("""
            register_function register_table_function create_dataframe_view sql_command checkpoint_command
            remove_cached_remote_relation_command ml_command
        """),
    ),
    "spark.connect.MlCommand": (
        "command",
        words("fit fetch delete evaluate clean_cache get_cache_info create_summary get_model_size"),
    ),
    "spark.connect.Relation": (
        "rel_type",
        words("""
            read project filter join set_op sort limit aggregate sql local_relation sample offset deduplicate range
            subquery_alias repartition to_df with_columns_renamed show_string drop tail with_columns hint unpivot
            to_schema repartition_by_expression map_partitions collect_metrics parse group_map co_group_map html_string
            cached_local_relation cached_remote_relation common_inline_user_defined_table_function as_of_join
            with_relations transpose unresolved_table_valued_function lateral_join chunked_cached_local_relation
            nearest_by_join zip fill_na drop_na replace summary crosstab describe cov corr approx_quantile freq_items
            sample_by catalog ml_relation
        """),
    ),
    "spark.connect.Read": ("read_type", words("named_table")),
    "spark.connect.Expression": (
        "expr_type",
        words("""
            literal unresolved_attribute unresolved_function expression_string unresolved_star alias cast
            unresolved_regex sort_order lambda_function window unresolved_extract_value update_fields
            unresolved_named_lambda_variable common_inline_user_defined_function call_function
            named_argument_expression subquery_expression direct_shuffle_partition_id
        """),
    ),
    # The others run Java code, or load a Java object, which may run code.
    "spark.connect.CommonInlineUserDefinedFunction": ("function", words("python_udf")),
    "spark.connect.CommonInlineUserDefinedTableFunction": ("function", words("python_udtf")),
    "spark.connect.Catalog": (
        "cat_type",
        words("""
            current_database current_catalog list_tables list_columns get_table table_exists function_exists
            is_cached cache_table uncache_table drop_temp_view
        """),
    ),
    "spark.connect.AnalyzePlanRequest": (
        "analyze",
        words("""
            schema explain tree_string is_local is_streaming spark_version ddl_parse same_semantics semantic_hash
            persist unpersist get_storage_level json_to_ddl
        """),
    ),
    "spark.connect.ConfigRequest.Operation": (
        "op_type",
        words("set get get_with_default get_option get_all unset is_modifiable"),
    ),
}
"""For each message that is one of several things: which part says so, and what it may be."""

REFUSED_CALLS = words("CloneSession")
"""Calls of the service that a cell may not make."""

HINTS = {
    "data_source": "A cell reads no files, addresses or tables through Spark. Load the data, and ask for ws[name].",
    "write_operation": "A cell writes no files or tables through Spark. Make a dataset: ws[name] = frame.",
    "write_operation_v2": "A cell writes no files or tables through Spark. Make a dataset: ws[name] = frame.",
}
"""Sentences for what users are most likely to try."""

SETTINGS = words("""
    spark.sql.session.timeZone spark.sql.ansi.enabled spark.sql.caseSensitive spark.sql.shuffle.partitions
    spark.sql.autoBroadcastJoinThreshold spark.sql.crossJoin.enabled spark.sql.mapKeyDedupPolicy
    spark.sql.pivotMaxValues spark.sql.timestampType spark.sql.legacy.timeParserPolicy
    spark.sql.optimizer.nestedSchemaPruning.enabled spark.sql.optimizer.maxIterations
""")
SETTING_PREFIXES = (
    "pandas_on_Spark.",
    "spark.sql.adaptive.",
    "spark.sql.execution.arrow.",
    "spark.sql.execution.pandas.",
    "spark.sql.execution.pythonUDF.",
    "spark.sql.pyspark.",
    "spark.sql.repl.",
)
"""Settings that a cell may change in its own session, by name or by how they begin."""
