/** Thrown by a contender that is not installed here; the message says what is missing. */
export class Absent extends Error {}
