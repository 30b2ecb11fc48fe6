/** Functions of areas that steer a sandbox, for areas whose clients call them by other protocols. */

import type { JsonObject } from '../../base/json-object.js';
import type { Sandbox } from '../../state/state.js';
import type { IssuerSteering } from '../access-tokens.js';

export interface RecordWrite {
  /** `merge` changes some fields (RFC 7396). */
  readonly kind: 'create' | 'merge' | 'remove';
  /** Absent for a new record. */
  readonly id?: number;
  readonly body?: unknown;
}

/** They throw an HttpError for invalid input. */
export interface SteeringFunctions {
  readonly issuer: IssuerSteering;
  /** Replaces the fault plan, and returns it. */
  readonly planFaults: (sandbox: Sandbox, plan: JsonObject) => Promise<JsonObject>;
  /** Writes a record of a collection, and returns it; `undefined` if it was removed. */
  readonly writeRecord: (
    sandbox: Sandbox,
    collection: string,
    write: RecordWrite,
    baseUrl: () => string,
  ) => Promise<JsonObject | undefined>;
  /** Creates a webhook bin, and returns it. */
  readonly createBin: (
    sandbox: Sandbox,
    baseUrl: string,
    name: string | null,
  ) => Promise<JsonObject>;
  /** Returns the newest captures of a bin, without long bodies. */
  readonly readBin: (sandbox: Sandbox, id: string) => Promise<readonly JsonObject[]>;
}

export class Steering {
  #functions: Partial<SteeringFunctions> = {};

  /** Areas call this at the start. */
  bring(functions: Partial<SteeringFunctions>): void {
    this.#functions = { ...this.#functions, ...functions };
  }

  get<Name extends keyof SteeringFunctions>(name: Name): SteeringFunctions[Name] {
    const found = this.#functions[name];
    if (found === undefined) throw new Error(`No area has brought ${name}.`);
    return found;
  }
}
