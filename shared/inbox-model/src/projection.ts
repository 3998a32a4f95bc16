/** The cursor of this projection. */
export const PROJECTION = "inbox";
/** NOTIFY channel on which each committed batch tells its sequence. */
export const PROJECTED_CHANNEL = "interlude_inbox_projected";
