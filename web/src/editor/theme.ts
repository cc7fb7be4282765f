import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "transparent", fontSize: "var(--text-small)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--text)" },
  ".cm-placeholder": { color: "var(--muted)" },
  ".cm-line": { padding: "0 12px 0 6px" },
  ".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--muted)", fontSize: "var(--text-tiny)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "22px", padding: "0 2px 0 4px", lineHeight: "20.8px" },
  ".cm-gutter-lint": { width: "12px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-lint-marker": { width: "10px", height: "10px", marginTop: "5px" },
  ".cm-lint-marker-error": { content: "none", borderRadius: "50%", backgroundColor: "var(--doubt)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    backgroundColor: "var(--doubt-tint)",
    textDecoration: "underline wavy var(--doubt) 1.2px",
    textUnderlineOffset: "3px",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--lit-strong)" },
  ".cm-tooltip": {
    border: "1px solid var(--border)",
    borderRadius: "var(--radius)",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--shadow)",
    color: "var(--text)",
    overflow: "hidden",
  },
  ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--sans)", fontSize: "12px", maxWidth: "60ch" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--doubt)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    minWidth: "260px",
    maxHeight: "232px",
    padding: "4px",
    fontFamily: "var(--mono)",
    fontSize: "12px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    gap: "10px",
    alignItems: "baseline",
    padding: "3px 8px",
    borderRadius: "4px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--accent-tint)",
    color: "var(--text)",
  },
  ".cm-completionMatchedText": { color: "var(--accent)", fontWeight: "650", textDecoration: "none" },
  ".cm-completionDetail": {
    marginLeft: "auto",
    color: "var(--muted)",
    fontFamily: "var(--sans)",
    fontSize: "11px",
    fontStyle: "normal",
  },
});

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword, tags.bool, tags.null],
    color: "var(--code-keyword)",
  },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
  { tag: [tags.number], color: "var(--code-number)" },
  { tag: [tags.function(tags.variableName), tags.standard(tags.name)], color: "var(--accent)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--muted)", fontStyle: "italic" },
  { tag: [tags.heading], fontWeight: "650" },
]);

/** How code looks, by the same tokens as everything else, so that both themes need no second set of colours. */
export const appearance = [look, syntaxHighlighting(colours)];
