import styles from "./KindPicture.module.css";
import { pictureOf } from "./kindPictures";

/** The small picture of a kind of cell; decoration only, because its name stands beside. */
export function KindPicture({ kind }: { kind: string }) {
  const picture = pictureOf(kind);
  return (
    <span className={styles.picture} aria-hidden="true">
      {"signs" in picture ? (
        picture.signs
      ) : (
        <svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
          <path d={picture.path} />
        </svg>
      )}
    </span>
  );
}
