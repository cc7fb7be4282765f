import createClient from "openapi-fetch";
import type { components, paths } from "./types";

export type Schemas = components["schemas"];
export type Dataset = Schemas["DatasetSummary"];
export type Page = Schemas["Page"];
export type CellReport = Schemas["CellReport"];

export const client = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: (request) => window.fetch(request),
});

/** An error as the server describes it, or one of our own when no server answered. */
export class ApiError extends Error {
  readonly kind: string;
  readonly hint: string;

  constructor(kind: string, message: string, hint: string) {
    super(message);
    this.kind = kind;
    this.hint = hint;
  }

  /** No answer at all: the server has stopped or the network is gone. */
  get isOffline(): boolean {
    return this.kind === "Offline";
  }
}

type Answer<T> = { data?: T; error?: unknown };

/** The data of an answer; every way of failing becomes an ApiError, except an abort, which stays one. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  const answer = await call.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new ApiError("Offline", "The whence server does not answer.", "Start it again, then reload this page.");
  });
  if (answer.error !== undefined) throw asApiError(answer.error);
  return answer.data as T;
}

function asApiError(body: unknown): ApiError {
  const detail = (body as Partial<Schemas["ErrorBody"]> | null)?.error;
  return detail
    ? new ApiError(detail.kind, detail.message, detail.hint)
    : new ApiError("Unknown", "The server's answer could not be read.", "Reload the page.");
}
