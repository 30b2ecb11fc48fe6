/** The form of times that this service writes: `2027-03-12T18:00:00.000Z`. */

const ownForm =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Says so of times on days that every month has, which one look can tell; of others, it says nothing. */
export function isOwnTime(text: string): boolean {
  return ownForm.test(text);
}
