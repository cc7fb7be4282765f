import { expect, it } from "vitest";
import { formatOf, showIn, withoutNoise } from "./numbers";

const shown = (name: string, type: string, values: unknown[]) => {
  const format = formatOf({ name, type }, values);
  return values.map((value) => showIn(format, value));
};

it("gives the numbers of a column the same decimals", () => {
  expect(shown("price", "double", [0.42, 18.4, 7, null])).toEqual(["0.42", "18.40", "7.00", "null"]);
  expect(shown("stock", "int", [5200, 75])).toEqual(["5200", "75"]);
});

it("sets thousands apart where a column has long numbers", () => {
  expect(shown("population", "bigint", [1234567, 5200, 75, -12345])).toEqual(["1,234,567", "5,200", "75", "-12,345"]);
  expect(shown("cost", "decimal(12,2)", ["1234567.50", "0.10"])).toEqual(["1,234,567.50", "0.10"]);
  expect(shown("far", "bigint", ["9007199254740993"])).toEqual(["9,007,199,254,740,993"]);
});

it("leaves numbers alone that name something", () => {
  expect(shown("order_id", "bigint", [123456])).toEqual(["123456"]);
  expect(shown("customerId", "int", [123456])).toEqual(["123456"]);
  expect(shown("Year", "int", [1999])).toEqual(["1999"]);
  expect(shown("acid", "int", [123456])).toEqual(["123,456"]);
});

it("cuts long fractions, and keeps short ones whole", () => {
  expect(shown("average", "double", [15.333333333333334, 2.5])).toEqual(["15.3333", "2.5000"]);
  expect(shown("average", "double", [123456.789123, 0.1])).toEqual(["123,456.79", "0.10"]);
  const whole = formatOf({ name: "n", type: "double" }, [1, 2]);
  expect([showIn(whole, 3.25), showIn(whole, 1 / 3)]).toEqual(["3.25", "0.33"]);
});

it("rounds on the digits that are written", () => {
  const rounded = formatOf({ name: "n", type: "double" }, [123456.789123]);
  expect([1.005, 0.995, -2.675, 99.999].map((n) => showIn(rounded, n))).toEqual(["1.01", "1.00", "-2.68", "100.00"]);
});

it("never lets a number look like nothing, or like another", () => {
  expect(shown("share", "double", [123456.789123, 0.0004, 0])).toEqual(["123,456.79", "0.0004", "0.00"]);
  expect(shown("n", "double", ["NaN", "-0.0", 1e21, 1e-7])).toEqual(["NaN", "-0.0", "1e+21", "1e-7"]);
});

it("leaves texts alone, whatever they look like", () => {
  expect(shown("phone", "string", ["12345", ""])).toEqual(["12345", "empty text"]);
});

it("writes a number without the last digits that binary sums leave, and any other as it is", () => {
  expect(withoutNoise("1609.1900000000007")).toBe("1609.19");
  expect(withoutNoise("0.30000000000000004")).toBe("0.3");
  for (const exact of ["13.454602184087363", "0.1", "12345678901234567890", "1e-7", "1.5"])
    expect(withoutNoise(exact)).toBeUndefined();
});
