import { say } from "../state/toast";

type Props = {
  label: string;
  text: string;
  className?: string | undefined /** What it copies, if the text is long. */;
  what?: string;
};

/** A button that puts a text on the clipboard and says so; where the clipboard is closed it shows the text. */
export function CopyButton({ label, text, className, what }: Props) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say({ text: what === undefined ? `Copied: ${text}` : `Copied ${what}.` });
    } catch {
      say({ text });
    }
  };
  return (
    <button type="button" className={className} title={what ?? text} onClick={() => void copy()}>
      {label}
    </button>
  );
}
