import { FormDialog } from "./FormDialog";

type Props = { title: string; submit: string; name: string; onSave: (name: string) => void; onClose: () => void };

/** Asks for the name of a column. */
export function NameDialog({ title, submit, name, onSave, onClose }: Props) {
  return (
    <FormDialog
      title={title}
      submit={submit}
      onClose={onClose}
      onSubmit={(values) => onSave(String(values.get("name") ?? "").trim())}
    >
      <label>
        Name
        {/* biome-ignore lint/a11y/noAutofocus: the dialog was opened to write this */}
        <input name="name" defaultValue={name} required autoFocus />
      </label>
    </FormDialog>
  );
}
