/**
 * Named wrong or unusual behaviour towards clients. A case is one value: its texts, and the functions
 * that make it happen.
 */

/** The texts of every case. */
export interface CaseText {
  /** The behaviour, in a sentence. */
  readonly what: string;
  /** The behaviour of a right client. */
  readonly rightClient: string;
  /** Section of the standard. */
  readonly section: string;
}

/** At least one of the effects: a case that changes nothing does not compile. */
export type SomeOf<Effects extends object> = {
  readonly [Name in keyof Effects]-?: Partial<Effects> & Required<Pick<Effects, Name>>;
}[keyof Effects];

/** Cases by their names, which keep their literal types. */
export const casesOf =
  <Case>() =>
  <const Table extends Readonly<Record<string, Case>>>(table: Table): Table =>
    table;
