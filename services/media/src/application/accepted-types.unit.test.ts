import { describe, expect, it } from "vitest";
import { agreedType, categoryOf, claimedType, extensionOf, isAccepted } from "./accepted-types.ts";

describe("the type an upload is stored under", () => {
  it.each([
    ["image/png", undefined, "image/png"],
    ["image/apng", "image/png", "image/png"],
    ["audio/x-m4a", "audio/mp4", "audio/mp4"],
    ["video/mp4", undefined, "video/mp4"],
    ["video/mp4", "audio/mp4", "audio/mp4"],
    ["audio/ogg; codecs=opus", "audio/ogg", "audio/ogg"],
    ["application/ogg", "video/ogg", "video/ogg"],
    ["application/x-cfb", "application/vnd.ms-excel", "application/vnd.ms-excel"],
  ])("bytes of %s that are claimed as %s are %s", (detected, claimed, stored) => {
    expect(agreedType(detected, claimed)).toBe(stored);
  });

  it.each([
    ["image/png", "image/jpeg"],
    ["image/png", "application/pdf"],
    ["application/x-cfb", undefined],
    ["application/x-cfb", "application/pdf"],
    ["application/xml", undefined],
    ["application/vnd.ms-word.document.macroenabled.12", undefined],
    ["application/zip", undefined],
    ["", "image/png"],
    ["", undefined],
  ])("bytes of %j that are claimed as %s are refused", (detected, claimed) => {
    expect(agreedType(detected, claimed)).toBeUndefined();
  });

  it("is never an active one", () => {
    for (const type of [
      "image/svg+xml",
      "text/html",
      "application/xhtml+xml",
      "text/xml",
      "application/javascript",
    ]) {
      expect(isAccepted(type)).toBe(false);
    }
  });

  it("reads a claim without its parameters and under the usual name", () => {
    expect(claimedType(' Image/JPG ; charset="x"')).toBe("image/jpeg");
    expect(claimedType(undefined)).toBeUndefined();
    expect(claimedType("application/octet-stream")).toBeUndefined();
    expect(claimedType(";")).toBeUndefined();
  });

  it("says what kind of thing it is, and how a file of it ends", () => {
    expect([categoryOf("image/avif"), extensionOf("image/avif")]).toEqual(["image", "avif"]);
    expect([categoryOf("application/msword"), extensionOf("application/msword")]).toEqual([
      "document",
      "doc",
    ]);
    // Whatever was stored under an unknown type is saved, never shown in place.
    expect([categoryOf("text/unknown"), extensionOf("text/unknown")]).toEqual(["document", "bin"]);
  });
});
