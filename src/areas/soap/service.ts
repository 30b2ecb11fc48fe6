/**
 * A SOAP service: a name, a namespace and typed operations, from which everything else is derived.
 */

import type { FaultType } from './soap-fault.js';
import type { Fields, RecordOf } from './values/schema-types.js';

export interface Parameter {
  readonly type: 'int' | 'string';
  /** Sample value in the usage. */
  readonly sample: string;
}

type Parameters = Readonly<Record<string, Parameter>>;

type ArgumentsOf<P> = {
  readonly [Name in keyof P]: P[Name] extends { readonly type: 'int' } ? number : string;
};

export interface Operation {
  readonly name: string;
  /** Documentation in the WSDL. */
  readonly summary: string;
  readonly parameters: Parameters;
  /** Fields of the element `<name>Response`. */
  readonly response: Fields;
  /** Specific faults that it may throw. */
  readonly faults: readonly FaultType[];
  readonly call: (args: Readonly<Record<string, number | string>>) => RecordOf<Fields>;
}

export interface Service {
  readonly name: string;
  readonly summary: string;
  /** Path of the service. */
  readonly path: string;
  /** Namespace of every element of its messages; also the prefix of each operation's action. */
  readonly namespace: string;
  readonly operations: readonly [Operation, ...Operation[]];
  /** Whether its messages need WS-Security. */
  readonly isSecured?: true;
}

/** Connects the types of parameters and response to `call`. */
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

/** Returns the action of an operation, for SOAPAction and the `action` of SOAP 1.2. */
export function actionOf({ namespace }: Service, { name }: Operation): string {
  return namespace + name;
}
