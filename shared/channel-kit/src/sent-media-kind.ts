/** What a person sent, by its type; everything that is neither picture nor film nor sound is a document. */
export function sentMediaKind(contentType: string | null | undefined): string {
  if (!contentType) return "file";
  const [kind = ""] = contentType.toLowerCase().split("/");
  return ["image", "video", "audio"].includes(kind) ? kind : "document";
}
