import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionSource,
} from "@codemirror/autocomplete";
import { globalCompletion, localCompletionSource, python } from "@codemirror/lang-python";
import { SQLDialect, sql } from "@codemirror/lang-sql";
import type { Extension } from "@codemirror/state";
import { lineNumbers } from "@codemirror/view";
import { completePython } from "./completePython";
import { completeSql } from "./completeSql";
import type { Names } from "./names";
import type { Suggestion, Suggestions } from "./suggestion";

export type Language = "sql" | "python" | "markdown";

type Complete = (text: string, position: number, names: Names) => Suggestions | null;

const SPARK = SQLDialect.define({ identifierQuotes: "`", doubleQuotedStrings: true, backslashEscapes: true });

/** Datasets and columns come before functions, and those before keywords, however well they match. */
const BOOST: Record<Suggestion["kind"], number> = { parameter: 9, column: 6, dataset: 4, function: -20, keyword: -40 };

/** What makes an editor one for a language. */
export function languageOf(language: Language, names: () => Names): Extension {
  if (language === "sql") return [lineNumbers(), sql({ dialect: SPARK }), completing([sourceOf(completeSql, names)])];
  if (language === "python")
    return [
      lineNumbers(),
      python(),
      completing([sourceOf(completePython, names), localCompletionSource, globalCompletion]),
    ];
  return [];
}

function completing(override: CompletionSource[]): Extension {
  return autocompletion({ override, icons: false, activateOnTypingDelay: 60 });
}

function sourceOf(complete: Complete, names: () => Names): CompletionSource {
  return (context: CompletionContext) => {
    const found = complete(context.state.doc.toString(), context.pos, names());
    return found && { from: found.from, options: found.options.map(asCompletion), validFor: /^\w*$/ };
  };
}

function asCompletion({ label, apply, kind, detail }: Suggestion): Completion {
  return {
    label,
    type: kind,
    boost: BOOST[kind],
    detail: detail ?? kind,
    ...(apply !== undefined && { apply }),
  };
}
