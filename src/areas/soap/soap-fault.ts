/** Faults of calls, independent of the SOAP version; write-fault.ts writes them as XML. */

import type { QualifiedName } from '#http/xml/qualified-name.js';
import type { Fields, RecordOf } from './values/schema-types.js';

/** Codes of SOAP 1.2 part 1 section 5.4.6; SOAP 1.1 calls the last two Client and Server. */
export type FaultCode =
  | 'VersionMismatch'
  | 'MustUnderstand'
  | 'DataEncodingUnknown'
  | 'Sender'
  | 'Receiver';

/** A kind of fault: its name is both the subcode of SOAP 1.2 and the element inside the detail. */
export interface FaultType<F extends Fields = Fields> {
  readonly name: string;
  readonly fields: F;
}

export function faultType<const F extends Fields>(name: string, fields: F): FaultType<F> {
  return { name, fields };
}

interface FaultParts {
  /** A local name in the namespace of the service. */
  readonly subcode?: string;
  /** Code of another standard: the faultcode of SOAP 1.1, the subcode of SOAP 1.2. */
  readonly standard?: QualifiedName & { readonly prefix: string };
  /** Present exactly if the content of the Body is wrong (SOAP 1.1 section 4.4). */
  readonly detail?: { readonly type: FaultType; readonly value: RecordOf<Fields> };
  /** Header entries that must be understood but are unknown. */
  readonly notUnderstood?: readonly QualifiedName[];
}

/** Thrown while a call is parsed or executed. */
export class SoapFault extends Error {
  override readonly name = 'SoapFault';
  readonly code: FaultCode;
  readonly parts: FaultParts;

  constructor(code: FaultCode, message: string, parts: FaultParts = {}) {
    super(message);
    this.code = code;
    this.parts = parts;
  }
}

/** Makes a fault with a specific type, which clients can distinguish. */
export function typedFault<F extends Fields>(
  code: 'Sender' | 'Receiver',
  type: FaultType<F>,
  message: string,
  value: RecordOf<F>,
): SoapFault {
  return new SoapFault(code, message, { subcode: type.name, detail: { type, value } });
}
