/** A fault of credentials, as a sentence for their sender. */

export interface Fault {
  readonly fault: string;
}

export function isFault(value: object): value is Fault {
  return 'fault' in value;
}
