/** Recognizes signed times that are not in seconds, by their size. */

export interface TimeUnit {
  readonly name: string;
  /** How many digits more than a time in seconds it has. */
  readonly digits: number;
}

export const seconds: TimeUnit = { name: 'seconds', digits: 0 };

/** The last second of the year 9999; larger numbers are no seconds. */
export const lastUnixSecond = 253_402_300_799;

const units = [
  { above: lastUnixSecond * 1_000_000, name: 'nanoseconds', digits: 9 },
  { above: lastUnixSecond * 1000, name: 'microseconds', digits: 6 },
  { above: lastUnixSecond, name: 'milliseconds', digits: 3 },
];

/** Returns the unit of a time in digits; seconds if there is none. */
export function unitOf(timestamp: string): TimeUnit {
  return units.find(({ above }) => Number(timestamp) > above) ?? seconds;
}
