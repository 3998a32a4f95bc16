/** Told one line at a time what is going on, so that a slow start never looks like a hang. */
export type Report = (line: string) => void;

export const silent: Report = () => undefined;
