const ownForm =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Returns whether a text is a time as this service writes it, on a day that every month has. */
export function isOwnTime(text: string): boolean {
  return ownForm.test(text);
}
