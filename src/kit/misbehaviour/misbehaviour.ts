/**
 * Named wrong or unusual behaviour towards clients. A case is one value: what it is, what a right
 * client does, and the functions that make it happen.
 */

/** What every case says. */
export interface CaseText {
  /** The behaviour, in a sentence. */
  readonly what: string;
  /** What a right client does. */
  readonly rightClient: string;
  /** Section of the standard. */
  readonly section: string;
}

/** At least one of the effects: the compiler refuses a case that changes nothing. */
export type SomeOf<Effects extends object> = {
  readonly [Name in keyof Effects]-?: Partial<Effects> & Required<Pick<Effects, Name>>;
}[keyof Effects];

/** Cases by their names, which keep their literal types. */
export const casesOf =
  <Case>() =>
  <const Table extends Readonly<Record<string, Case>>>(table: Table): Table =>
    table;
