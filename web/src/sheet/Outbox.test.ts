// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../api/client";
import type { Command } from "./api";
import { Outbox } from "./Outbox";

function shelf() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
}

const offline = new ApiError("Offline", "no answer", "");
const set = (value: string) => ({ operation: "set", arguments: { value } });

function listener() {
  return { onDone: vi.fn(), onRefused: vi.fn(), onChange: vi.fn() };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("sends one at a time, in order", async () => {
  const sent: unknown[] = [];
  let busy = 0;
  const send = async (command: Command) => {
    expect(busy++).toBe(0);
    await Promise.resolve();
    busy--;
    sent.push(command.arguments.value);
    return sent.length;
  };
  const told = listener();
  const box = new Outbox("a", send, told, shelf());
  for (const value of ["1", "2", "3"]) box.add(set(value));
  expect(box.count).toBe(3);
  await vi.runAllTimersAsync();
  expect(sent).toEqual(["1", "2", "3"]);
  expect(told.onDone.mock.calls.map((call) => call[1])).toEqual([1, 2, 3]);
  expect(box.count).toBe(0);
});

it("keeps what cannot be sent, and sends it under the same id when the server is back", async () => {
  const tried: string[] = [];
  let isDown = true;
  const send = async (command: Command) => {
    tried.push(command.command_id);
    if (isDown) throw offline;
  };
  const box = new Outbox("a", send, listener(), shelf());
  box.add(set("1"));
  await vi.advanceTimersByTimeAsync(100);
  expect([box.count, box.isOffline]).toEqual([1, true]);
  isDown = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect([box.count, box.isOffline]).toEqual([0, false]);
  expect(new Set(tried).size).toBe(1);
});

it("goes on after a reload with what the page before could not send", async () => {
  const place = shelf();
  const before = new Outbox("a", () => Promise.reject(offline), listener(), place);
  const { command_id } = before.add(set("1"));
  await vi.advanceTimersByTimeAsync(100);
  before.dispose();
  const sent: string[] = [];
  const after = new Outbox("a", async (command) => void sent.push(command.command_id), listener(), place);
  expect(after.count).toBe(1);
  after.open();
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual([command_id]);
  expect(place.kept.size).toBe(0);
});

it("tells what the server refuses, and goes on with the rest", async () => {
  const told = listener();
  const send = async (command: Command) => {
    if (command.arguments.value === "bad") throw new ApiError("BadInput", "No.", "");
    return "ok";
  };
  const box = new Outbox("a", send, told, shelf());
  box.add(set("bad"));
  box.add(set("good"));
  await vi.runAllTimersAsync();
  expect(told.onRefused).toHaveBeenCalledOnce();
  expect(told.onDone).toHaveBeenCalledOnce();
  expect(box.count).toBe(0);
});
