"""Writes the files that the test programs read: a shop, its web server and its sensors, made from one seed."""

from __future__ import annotations

import csv
import json
import random
from datetime import date, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

CITIES = ["Oslo", "Bergen", "Ulm", "Jena", "Turku"]
PRODUCTS = ["ink", "pen", "paper", "lamp", "desk", "chair"]


def write_data(folder: Path, rows: int, seed: int = 7) -> None:
    """Write all files, the largest with so many rows."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    _write_orders(folder, rows, chance)
    _write_customers(folder, max(20, rows // 20), chance)
    _write_log(folder, rows, chance)
    _write_events(folder, max(50, rows // 4), chance)
    _write_readings(folder, rows, chance)


def _write_orders(folder: Path, rows: int, chance: random.Random) -> None:
    start = date(2024, 1, 1)
    with (folder / "orders.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["order_id", "customer_id", "day", "product", "quantity", "price"])
        for number in range(rows):
            day = start + timedelta(days=chance.randrange(180))
            price = "" if chance.random() < 0.03 else chance.randrange(100, 9000) / 4
            product, customer = chance.choice(PRODUCTS), chance.randrange(max(20, rows // 20))
            lines.writerow([number, customer, day.isoformat(), product, chance.randrange(1, 9), price])


def _write_customers(folder: Path, rows: int, chance: random.Random) -> None:
    with (folder / "customers.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["customer_id", "name", "city", "joined"])
        for number in range(rows):
            joined = date(2020, 1, 1) + timedelta(days=chance.randrange(1400))
            city = "" if chance.random() < 0.1 else chance.choice(CITIES)
            lines.writerow([number, f"Customer {number:05d}", city, joined.isoformat()])
            if chance.random() < 0.05:  # the same line twice, as exports have it
                lines.writerow([number, f"Customer {number:05d}", city, joined.isoformat()])


def _write_log(folder: Path, rows: int, chance: random.Random) -> None:
    moment = datetime(2024, 3, 1)
    with (folder / "access.log").open("w") as file:
        for _ in range(rows):
            moment += timedelta(seconds=chance.randrange(90))
            page, status = chance.choice(["/", "/cart", "/item", "/pay"]), chance.choice([200, 200, 200, 404, 500])
            file.write(f'10.0.0.{chance.randrange(40)} [{moment:%Y-%m-%dT%H:%M:%S}] "GET {page}" {status}\n')


def _write_events(folder: Path, rows: int, chance: random.Random) -> None:
    with (folder / "events.jsonl").open("w") as file:
        for number in range(rows):
            items = [{"sku": chance.choice(PRODUCTS), "n": chance.randrange(1, 5)} for _ in range(chance.randrange(4))]
            user = {"id": chance.randrange(50), "device": chance.choice(["phone", "desktop", "tablet"])}
            file.write(json.dumps({"event_id": number, "user": user, "items": items}) + "\n")


def _write_readings(folder: Path, rows: int, chance: random.Random) -> None:
    start = datetime(2024, 5, 1)
    table = pa.table(
        {
            "sensor": [chance.randrange(12) for _ in range(rows)],
            "at": [start + timedelta(minutes=7 * number) for number in range(rows)],
            "celsius": [round(15 + chance.random() * 10, 2) for _ in range(rows)],
            "kind": [chance.choice(["air", "water", "soil"]) for _ in range(rows)],
        }
    )
    for number in range(2):
        half = table.slice(number * (rows // 2), rows // 2)
        (folder / "readings").mkdir(exist_ok=True)
        pq.write_table(half, folder / "readings" / f"part-{number}.parquet")
