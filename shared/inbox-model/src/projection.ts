/** The cursor of this projection. */
export const PROJECTION = "inbox";
/** The cursor of what was purged, in the audit stream. */
export const PURGES = "inbox-purges";
/** NOTIFY channel on which each committed batch tells its sequence. */
export const PROJECTED_CHANNEL = "interlude_inbox_projected";
