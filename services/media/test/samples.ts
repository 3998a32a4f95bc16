import { deflateRawSync } from "node:zlib";

/** A PNG of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A PNG of `size` bytes: what follows its end is part of the file and of no interest to a viewer. */
export function pngOf(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
  PNG.copy(bytes);
  return bytes;
}

export const PDF = Buffer.from(
  "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n",
);
export const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(document.domain)</script></svg>',
);
export const HTML = Buffer.from("<!doctype html><script>alert(1)</script>");
export const WEBM = Buffer.from(
  "1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff",
  "hex",
);
export const OLD_OFFICE = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(1_024)]);

type Entry = { name: string; data: Buffer };

/** A ZIP archive with the entries in this order; sizes and checksums are left to the reader, as streamed archives do not need them here. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, data } of entries) {
    const packed = deflateRawSync(data);
    const sizes = Buffer.alloc(12);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(data.length, 8);
    const lengths = Buffer.from([name.length & 0xff, name.length >> 8, 0, 0]);
    const common = Buffer.concat([Buffer.from("14000000080000000000", "hex"), sizes, lengths]);
    locals.push(Buffer.from("504b0304", "hex"), common, Buffer.from(name), packed);
    const offset = Buffer.alloc(14);
    offset.writeUInt32LE(at, 10);
    directory.push(Buffer.from("504b01021400", "hex"), common, offset, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, listing, end]);
}

const DOCX_TYPES =
  '<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';

/** A word file whose telling part comes last, after a picture of `pictureBytes`: several programs write them so. */
export function docxOf(pictureBytes: number): Buffer {
  const picture = Buffer.alloc(pictureBytes);
  for (let at = 0; at < pictureBytes; at++) picture[at] = Math.floor(Math.random() * 256);
  return zipOf([
    { name: "docProps/thumbnail.jpeg", data: picture },
    { name: "word/document.xml", data: Buffer.from("<w:document/>") },
    { name: "[Content_Types].xml", data: Buffer.from(DOCX_TYPES) },
  ]);
}
