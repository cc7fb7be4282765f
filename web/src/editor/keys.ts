import { acceptCompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/** What an editor asks of the notebook around it. */
export type EditorCommand = "run" | "runAndGoOn" | "runAndInsert" | "interrupt" | "leave";

/** Keys of an editor. Undo is the editor's own: it never reaches past this text. */
export function keysOf(onCommand: (command: EditorCommand) => void): Extension {
  const ask = (command: EditorCommand) => () => {
    onCommand(command);
    return true;
  };
  return [
    Prec.highest(
      keymap.of([
        { key: "Mod-Enter", run: ask("run") },
        { key: "Shift-Enter", run: ask("runAndGoOn") },
        { key: "Alt-Enter", run: ask("runAndInsert") },
        { key: "Mod-i", run: ask("interrupt") },
        { key: "Tab", run: acceptCompletion },
      ]),
    ),
    typingOver,
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    keymap.of([
      ...completionKeymap,
      ...closeBracketsKeymap,
      ...historyKeymap,
      { key: "Escape", run: ask("leave") },
      ...defaultKeymap,
      indentWithTab,
    ]),
  ];
}

/**
 * Typing over a selection. Chromium would carry the look of what goes over to what comes, as a style attribute, which the
 * page's policy refuses and reports.
 */
const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    const text = event.data;
    if (empty || event.inputType !== "insertText" || text === null || view.composing) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type" });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
    if (!isHandled) view.dispatch(insert(), { scrollIntoView: true });
    return true;
  },
});
