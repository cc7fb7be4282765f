"""Settings of Spark that may be told: those of queries and of the machine, and none in which a secret could stand."""

from __future__ import annotations

import pytest

from whence.engine.spark_settings import harmless

TOLD = {
    "spark.app.name": "shop",
    "spark.master": "local[2]",
    "spark.driver.memory": "2g",
    "spark.executor.instances": "4",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.ansi.enabled": "true",
}
SECRET = {
    "spark.hadoop.fs.s3a.secret.key": "abc",
    "spark.hadoop.fs.s3a.access.key": "abc",
    "spark.ssl.keyPassword": "abc",
    "spark.authenticate.secret": "abc",
    "spark.executorEnv.API_KEY": "abc",
    "spark.driver.extraJavaOptions": "-Dpassword=abc",
    "spark.executor.extraJavaOptions": "-Dpassword=abc",
    "spark.sql.catalog.shop.url": "jdbc:postgresql://ann:abc@host/shop",
    "spark.sql.catalog.shop.credential": "abc",
    "spark.sql.hive.metastore.token": "abc",
    "spark.sql.streaming.kafka.password": "abc",
    "spark.sql.my.connection": "https://ann:abc@host/path",
    "spark.sql.my.account": "AKIAABCDEFGHIJKLMNOP",
    "spark.sql.warehouse.dir": "/home/ann/abc",
    "fs.azure.account.key": "abc",
}


def test_settings_of_queries_and_of_the_machine_are_told() -> None:
    assert harmless(TOLD | SECRET) == TOLD


@pytest.mark.parametrize("name", SECRET)
def test_a_setting_that_could_hold_a_secret_is_left_out(name: str) -> None:
    assert harmless({name: SECRET[name]}) == {}
