import { quote } from './text.js';

export interface QualifiedName {
  readonly namespace: string;
  readonly name: string;
}

/** Describes a name with its namespace, for messages. */
export function describe({ namespace, name }: QualifiedName): string {
  return namespace === ''
    ? `${quote(name)} in no namespace`
    : `${quote(name)} in the namespace ${quote(namespace)}`;
}
