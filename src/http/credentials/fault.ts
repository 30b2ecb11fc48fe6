/** What is wrong with credentials, in a sentence for the one who sent them. */

export interface Fault {
  readonly fault: string;
}

export function isFault(value: object): value is Fault {
  return 'fault' in value;
}
