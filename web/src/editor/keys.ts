import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { commandWhileWriting } from "../notebook/commands";

/** What an editor asks of the notebook around it. */
export type EditorCommand = "run" | "runAndGoOn" | "runAndInsert" | "runUpstream" | "interrupt" | "leave";

/** Keys of an editor. Undo is the editor's own: it never reaches past this text. */
export function keysOf(onCommand: (command: EditorCommand) => void): Extension {
  const ask = (command: EditorCommand) => () => {
    onCommand(command);
    return true;
  };
  return [
    // Before any keymap: what somebody has bound wins over what editors usually do with these keys.
    Prec.highest(
      EditorView.domEventHandlers({
        keydown(event, view) {
          const command = commandWhileWriting(event);
          if (command === undefined || event.isComposing) return false;
          event.preventDefault();
          closeCompletion(view);
          onCommand(command);
          return true;
        },
      }),
    ),
    Prec.highest(keymap.of([{ key: "Tab", run: acceptCompletion }])),
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
