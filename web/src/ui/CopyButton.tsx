import { say } from "../state/toast";

type Props = { label: string; text: string; className?: string | undefined };

/** A button that puts a text on the clipboard and says so; where the clipboard is closed it shows the text. */
export function CopyButton({ label, text, className }: Props) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say({ text: `Copied: ${text}` });
    } catch {
      say({ text });
    }
  };
  return (
    <button type="button" className={className} title={text} onClick={() => void copy()}>
      {label}
    </button>
  );
}
