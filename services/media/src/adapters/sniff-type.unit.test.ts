import { describe, expect, it } from "vitest";
import { docxOf, PNG, zipOf } from "../../test/samples.ts";
import { sniffType } from "./sniff-type.ts";

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function collected(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A PNG with 200 kB of colour profile before its picture, and an MP3 with 200 kB of cover before its sound. */
const PREAMBLE = Buffer.alloc(200_000, 7);
const CHUNK_HEAD = Buffer.concat([Buffer.from([0x00, 0x03, 0x0d, 0x40]), Buffer.from("iCCP")]);
const LATE_PNG = Buffer.concat([
  PNG.subarray(0, 33),
  CHUNK_HEAD,
  PREAMBLE,
  Buffer.alloc(4),
  PNG.subarray(33),
]);
/** The length is written seven bits a byte. */
const ID3_HEAD = Buffer.from("49443303000000" + "0c1a40", "hex");
const LATE_MP3 = Buffer.concat([ID3_HEAD, PREAMBLE, Buffer.from("fffb9064", "hex"), Buffer.alloc(2_000)]);

describe("the type of bytes", () => {
  it.each([
    ["a small picture", PNG, "image/png"],
    ["a picture behind a large preamble", LATE_PNG, "image/png"],
    ["sound behind a large preamble", LATE_MP3, "audio/mpeg"],
    [
      "a word file that tells at its end",
      docxOf(300_000),
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    ["an archive", zipOf([{ name: "a.txt", data: PNG }]), "application/zip"],
    ["noise", Buffer.alloc(100_000, 3), undefined],
    [
      "a broken archive",
      Buffer.concat([Buffer.from("504b0304", "hex"), Buffer.alloc(50, 0xff)]),
      "application/zip",
    ],
  ])("is told for %s, and no byte is lost", async (_what, bytes, type) => {
    for (const size of [1_000, 65_536]) {
      const sniffed = await sniffType(inPieces(bytes, size));
      expect(sniffed).toMatchObject({ type, isEmpty: false });
      expect((await collected(sniffed.source)).equals(bytes)).toBe(true);
    }
  });

  it("is none for no bytes", async () => {
    const sniffed = await sniffType(inPieces(Buffer.alloc(0), 1));
    expect(sniffed).toMatchObject({ type: undefined, isEmpty: true });
    expect((await collected(sniffed.source)).length).toBe(0);
  });

  it("is told from the beginning alone where that is enough", async () => {
    let read = 0;
    async function* endless() {
      for (read = 0; ; read++) yield await Promise.resolve(read === 0 ? PNG : Buffer.alloc(8_192));
    }
    expect((await sniffType(endless())).type).toBe("image/png");
    expect(read).toBeLessThan(3);
  });
});
