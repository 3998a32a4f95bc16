import type { Json } from "@interlude/kernel";
import { describe, expect, it } from "vitest";
import { decodeDataImage } from "./data-image.ts";
import { parseMedia } from "./media.ts";
import { servedMediaId } from "./served-media.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const GIF = "R0lGODlhAQABAAAAACw=";
const JPEG = "/9j/4AAQSkZJRgABAQAAAQABAAD/2w==";
const WEBP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==";
const ID = "a".repeat(43);

function verdictOf(kind: string, url: Json, publicBaseUrl?: string): string {
  const parsed = parseMedia([{ kind, url }], "media", { publicBaseUrl });
  return parsed.ok ? "ok" : parsed.faults.map(({ path, message }) => `${path}: ${message}`).join("; ");
}

describe("a media address", () => {
  it.each([
    ["link", "http://x.example/a?b#c"],
    ["link", "https://localhost:8787/"],
    ["link", "https://[::1]:65535/a"],
    ["link", "https://192.0.2.7/"],
    ["link", "https://xn--bcher-kva.example/ü?q=日本"],
    ["link", "HTTPS://X.EXAMPLE"],
    ["link", `https://${"a".repeat(63)}.example/`],
    ["link", "https://x.example/user@host"],
    ["image", "https://x.example/a.png"],
    ["document", "https://my_bucket.x.example/a.pdf"],
    ["image", `/api/interactions/media/${ID}`],
    ["image", `data:image/png;base64,${PNG}`],
    ["image", `data:image/gif;base64,${GIF}`],
    ["image", `data:image/jpeg;base64,${JPEG}`],
    ["image", `data:image/webp;base64,${WEBP}`],
    ["image", `data:image/png;charset=utf-8;base64,${PNG}`],
    ["image", `DATA:IMAGE/PNG;BASE64,${PNG}`],
  ])("A-MED-3: a %s may be %s", (kind, url) => {
    expect(verdictOf(kind, url)).toBe("ok");
  });

  it.each([
    ["18", "link", "ftp://x.example/"],
    ["18", "link", "/relative"],
    ["18", "link", `/api/interactions/media/${ID}`],
    ["18", "link", "https:x.example"],
    ["18", "link", "https:/x.example"],
    ["18", "link", "https:///x"],
    ["18", "link", "javascript:alert(1)"],
    ["18", "image", "http://x.example/a.png"],
    ["18", "video", "http://127.0.0.1/a.mp4"],
    ["A-MED-1, 19", "image", `data:image/svg+xml;base64,${PNG}`],
    ["19", "image", `data:image/png,${PNG}`],
    ["A-MED-3", "image", "data:image/png,%89PNG"],
    ["19", "image", `data:image/jpg;base64,${JPEG}`],
    ["19", "image", `data:image/png;base64,${PNG.slice(0, -2)}`],
    ["19", "image", `data:image/png;base64,${PNG.replace("=", "")}`],
    ["19", "image", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAD_-="],
    ["19", "image", "data:image/png;base64,"],
    ["19", "image", `data:image/gif;base64,${PNG}`],
    ["19", "image", `data:image/png;base64,${GIF}`],
    ["19", "image", "data:image/gif;base64,R0lGODlhAQABAAAAACx="],
    ["19", "image", "data:"],
    ["19", "video", `data:image/png;base64,${PNG}`],
    ["19", "document", `data:image/png;base64,${PNG}`],
    ["19", "link", `data:image/png;base64,${PNG}`],
    ["20", "link", "https://x.example/a b"],
    ["20", "link", "https://x.example/a\nb"],
    ["20", "link", "https://x.example/a\u200bb"],
    ["20", "link", "https://x.example/\u202egnp"],
    ["20", "link", "https://x.example/\u0085"],
    ["20", "link", " https://x.example/"],
    ["20", "link", "https://user@x.example/"],
    ["20", "link", "https://user:pw@x.example/"],
    ["20", "link", "https://x.example\\@evil.example/"],
    ["20", "link", "https://x.example:70000/"],
    ["20", "link", "https://x.example:0/"],
    ["20", "link", "https://x.example:/"],
    ["20", "link", "https://x.example:8x/"],
    ["20", "link", "https://999.999.999.999/"],
    ["20", "link", "https://1.2.3/"],
    ["20", "link", "https://01.2.3.4/"],
    ["20", "link", "https://2130706433/"],
    ["20", "link", "https://0x1/"],
    ["20", "link", "https://x.0x7f/"],
    ["20", "link", "https://[fe80::1%25eth0]/"],
    ["20", "link", "https://[::zz]/"],
    ["20", "link", "https://[1.2.3.4]/"],
    ["20", "link", "https://bücher.example/"],
    ["20", "link", "https://x%2eexample/"],
    ["20", "link", "https://-x.example/"],
    ["20", "link", "https://x-.example/"],
    ["20", "link", "https://x..example/"],
    ["20", "link", `https://${"a".repeat(64)}.example/`],
    ["20", "link", `https://${"a.".repeat(127)}example/`],
    ["", "link", ""],
    ["", "link", 3],
    ["", "image", `/api/interactions/media/${ID}?x`],
    ["", "image", `/api/interactions/media/${ID.slice(1)}`],
    ["", "image", `//x.example/api/interactions/media/${ID}`],
  ])("%s: a %s may not be %j", (_case, kind, url) => {
    expect(verdictOf(kind, url)).toMatch(/^\/media\/0\/url: media\[0\]\.url must/);
  });
});

describe("a reference to what we serve", () => {
  const path = `/api/interactions/media/${ID}`;

  it.each([
    ["https://i.example", `https://i.example${path}`],
    ["https://i.example/", `https://I.example${path}`],
    ["http://localhost:8787", `http://localhost:8787${path}`],
    ["https://i.example/base/", `https://i.example/base${path}`],
    [undefined, path],
  ])("under %s may be %s", (base, url) => {
    expect(servedMediaId(url, base)).toBe(ID);
    expect(verdictOf("image", url, base)).toBe("ok");
  });

  it.each([
    ["http://localhost:8787", `http://localhost:8788${path}`],
    ["http://localhost:8787", `http://localhost:8787${path}?x=1`],
    ["http://localhost:8787", `http://localhost:8787${path}#x`],
    ["http://localhost:8787", `http://me@localhost:8787${path}`],
    ["http://localhost:8787", `http://localhost:8787/x/..${path}`],
    ["http://localhost:8787", `http://localhost:8787/other${path}`],
    [undefined, `http://localhost:8787${path}`],
  ])("under %s may not be %s", (base, url) => {
    expect(servedMediaId(url, base)).toBeUndefined();
    expect(verdictOf("image", url, base)).not.toBe("ok");
  });
});

describe("a media item", () => {
  const url = "https://x.example/a";
  const faultsOf = (items: Json): string[] => {
    const parsed = parseMedia(items);
    return parsed.ok ? [] : parsed.faults.map(({ path }) => path);
  };

  it.each<[string, Json, string[]]>([
    ["17: none at all", [], ["/media"]],
    ["something else than a list", { kind: "link", url }, ["/media"]],
    ["something else than an object", ["https://x.example/"], ["/media/0"]],
    ["an unknown kind", [{ kind: "sticker", url }], ["/media/0/kind"]],
    ["an unknown field", [{ kind: "link", url, title: "x" }], ["/media/0/title"]],
    ["no url", [{ kind: "link" }], ["/media/0/url"]],
    ["21: an empty caption", [{ kind: "link", url, caption: "" }], ["/media/0/caption"]],
    ["a blank caption", [{ kind: "link", url, caption: "\u200b" }], ["/media/0/caption"]],
    ["21: a filename on an image", [{ kind: "image", url, filename: "a.png" }], ["/media/0/filename"]],
    [
      "A-MED-2: a filename with a line break",
      [{ kind: "document", url, filename: "語\r\nX-Evil: 1.pdf" }],
      ["/media/0/filename"],
    ],
    [
      "a filename that turns direction",
      [{ kind: "document", url, filename: "a\u202efdp.exe" }],
      ["/media/0/filename"],
    ],
    [
      "the second of two",
      [
        { kind: "link", url },
        { kind: "link", url: "x" },
      ],
      ["/media/1/url"],
    ],
  ])("is refused for %s", (_name, items, expected) => {
    expect(faultsOf(items)).toEqual(expected);
  });

  it("A-MED-2: may be named in any script", () => {
    expect(faultsOf([{ kind: "document", url, filename: "語言 “报告” 1.pdf", caption: "מסמך" }])).toEqual([]);
  });
});

describe("an inline image", () => {
  it("decodes to exactly its bytes and a bare type, whatever parameters it had", () => {
    const decoded = decodeDataImage(`DATA:image/PNG;charset=utf-8;base64,${PNG}`);
    expect(decoded).toMatchObject({ ok: true, mime: "image/png" });
    expect(decoded.ok ? Buffer.from(decoded.bytes).toString("base64") : "").toBe(PNG);
  });

  it("is refused with the reason when it is none", () => {
    expect(decodeDataImage("data:text/html;base64,PGI+")).toMatchObject({ ok: false });
  });
});
