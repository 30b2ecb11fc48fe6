/** A SOAP service: a name, a namespace and typed operations, from which all else is made. */

import type { Fields, RecordOf } from './schema-types.js';
import type { FaultType } from './soap-fault.js';

export interface Parameter {
  readonly type: 'int' | 'string';
  /** A value for the sample in the usage. */
  readonly sample: string;
}

type Parameters = Readonly<Record<string, Parameter>>;

type ArgumentsOf<P> = {
  readonly [Name in keyof P]: P[Name] extends { readonly type: 'int' } ? number : string;
};

export interface Operation {
  readonly name: string;
  /** For the documentation in the WSDL. */
  readonly summary: string;
  readonly parameters: Parameters;
  /** The fields of the element `<name>Response`. */
  readonly response: Fields;
  /** The faults of its own that it may throw. */
  readonly faults: readonly FaultType[];
  readonly call: (args: Readonly<Record<string, number | string>>) => RecordOf<Fields>;
}

export interface Service {
  readonly name: string;
  readonly summary: string;
  /** Where it is called, from the root of this server. */
  readonly path: string;
  /** Of every element of its messages; also what each operation's action begins with. */
  readonly namespace: string;
  readonly operations: readonly [Operation, ...Operation[]];
  /** Whether its messages need WS-Security. */
  readonly isSecured?: true;
}

/** Ties the types of parameters and response to those of `call`. */
export function operation<const P extends Parameters, const R extends Fields>(described: {
  readonly name: string;
  readonly summary: string;
  readonly parameters: P;
  readonly response: R;
  readonly faults: readonly FaultType[];
  readonly call: (args: ArgumentsOf<P>) => RecordOf<R>;
}): Operation {
  return described as unknown as Operation;
}

/** The action of an operation: what SOAPAction says, and the `action` of SOAP 1.2. */
export function actionOf({ namespace }: Service, { name }: Operation): string {
  return namespace + name;
}
