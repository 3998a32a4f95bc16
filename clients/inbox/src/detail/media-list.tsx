import { useState, type ReactElement } from "react";
import type { Media } from "../api/item.ts";
import { messages } from "../messages.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./media-list.module.css";

const FRESH_TAB = { target: "_blank", rel: "noopener noreferrer" } as const;

/** Where a link leads is shown, and only web addresses are followed, whatever the caller sent. */
function webAddress(url: string): URL | undefined {
  if (!URL.canParse(url, location.origin)) return undefined;
  const parsed = new URL(url, location.origin);
  return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed : undefined;
}

function FileLink({ media, icon }: { media: Media; icon: "document" | "link" }): ReactElement {
  const address = webAddress(media.url);
  const name = media.caption ?? media.filename ?? (icon === "link" ? media.url : messages.media.document);
  if (address === undefined) return <p>{name}</p>;
  const about = icon === "link" || address.origin !== location.origin ? address.host : "";
  return (
    <a className={styles["file"]} href={media.url} {...FRESH_TAB}>
      <Icon name={icon} />
      <span className={styles["name"]}>{name}</span>
      {media.filename !== undefined && media.filename !== name ? (
        <span className={styles["about"]}>{media.filename}</span>
      ) : null}
      {about === "" ? null : <span className={styles["about"]}>{about}</span>}
    </a>
  );
}

function Image({ media }: { media: Media }): ReactElement {
  const [broken, setBroken] = useState(false);
  if (broken)
    return (
      <p className={styles["broken"]}>
        {messages.media.broken} {media.caption}
      </p>
    );
  return (
    <img
      className={styles["image"]}
      src={media.url}
      alt={media.caption ?? messages.media.image}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => {
        setBroken(true);
      }}
    />
  );
}

function Shown({ media }: { media: Media }): ReactElement {
  switch (media.kind) {
    case "image":
      return <Image media={media} />;
    case "video":
      return (
        <video
          className={styles["video"]}
          src={media.url}
          controls
          preload="metadata"
          aria-label={media.caption ?? messages.media.video}
        />
      );
    case "audio":
      return (
        <audio
          className={styles["audio"]}
          src={media.url}
          controls
          preload="metadata"
          aria-label={media.caption ?? messages.media.audio}
        />
      );
    case "document":
      return <FileLink media={media} icon="document" />;
    case "link":
      return <FileLink media={media} icon="link" />;
  }
}

const CAPTIONED: readonly Media["kind"][] = ["image", "video", "audio"];

/** What the question is about stands above its controls, and stays when it has been answered. */
export function MediaList({ media }: { media: readonly Media[] }): ReactElement | null {
  if (media.length === 0) return null;
  return (
    <ul className={styles["list"]} aria-label={messages.detail.media}>
      {media.map((entry, index) => (
        <li key={index}>
          <figure className={styles["figure"]}>
            <Shown media={entry} />
            {entry.caption !== undefined && CAPTIONED.includes(entry.kind) ? (
              <figcaption className={styles["caption"]} dir="auto" aria-hidden="true">
                {entry.caption}
              </figcaption>
            ) : null}
          </figure>
        </li>
      ))}
    </ul>
  );
}
