/** Fields in queries of a caller's data: any valid name, whatever records exist. */

import {
  type DataRecord,
  FieldTable,
  type FieldValue,
  type Filter,
  type Operator,
  type RecordField,
} from '../../source/fields.js';
import type { FieldNames } from '../load/own-relations.js';
import { textsIn } from './own-fields.js';

const compared = /^(.+)_(eq|gte|lte|gt|lt|ne|in)$/s;

const searched: RecordField = {
  name: '',
  kind: 'texts',
  isNullable: true,
  valueIn: (record) => textsIn(record),
};

/** Limits the names in queries. */
export interface ClosedNames {
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
}

export class OpenFields extends FieldTable {
  readonly #idNames: FieldNames;
  readonly #isKnown: (name: string) => boolean;
  readonly #closed: ClosedNames | undefined;

  /**
   * `fields` are shown in forms. A parameter for which `isKnown` is true is a field, even if it ends like an operator.
   */
  constructor(
    fields: readonly RecordField[],
    idNames: FieldNames,
    isKnown: (name: string) => boolean,
    closed?: ClosedNames,
  ) {
    super(fields, [searched]);
    this.#idNames = idNames;
    this.#isKnown = isKnown;
    this.#closed = closed;
  }

  /** Returns the same fields for a list whose records have other fields too. */
  alsoKnowing(isKnown: (name: string) => boolean): OpenFields {
    const isAnyKnown = (name: string) => this.#isKnown(name) || isKnown(name);
    return new OpenFields(this.all, this.#idNames, isAnyKnown, this.#closed);
  }

  /** Accepts only these names. */
  within(closed: ClosedNames): OpenFields {
    return new OpenFields(this.all, this.#idNames, this.#isKnown, closed);
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  override get names(): readonly string[] {
    return this.#closed?.names ?? super.names;
  }

  /** Whether a parameter would have another meaning if a record had a field with its name. */
  isAmbiguous(parameter: string): boolean {
    return !this.#isKnown(parameter) && compared.test(parameter);
  }

  override filter(parameter: string): Filter | undefined {
    return this.#isKnown(parameter) ? this.#plain(parameter) : undefined;
  }

  override openFilter(parameter: string): Filter | undefined {
    const [, name, operator] = compared.exec(parameter) ?? [];
    if (name === undefined) return this.#plain(parameter);
    const field = this.sortable(name);
    return field && { field, operator: (operator === 'eq' ? '' : `_${operator}`) as Operator };
  }

  override sortable(name: string): RecordField | undefined {
    if (name === '' || this.#closed?.has(name) === false) return undefined;
    const isExact = isIdName(name, this.#idNames) || isSecretName(name);
    return { name, kind: 'any', isNullable: true, isExact, valueIn: valueAt(name) };
  }

  #plain(name: string): Filter | undefined {
    const field = this.sortable(name);
    return field && { field, operator: '' };
  }
}

/** Finds a member by its name, or by dots. Values inside lists have no names. */
export function valueAt(name: string): (record: DataRecord) => FieldValue {
  const path = name.split('.');
  return (record) => {
    if (Object.hasOwn(record, name)) return record[name] ?? null;
    let value: FieldValue = record;
    for (const each of path) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
      if (!Object.hasOwn(value, each)) return null;
      value = (value as Readonly<Record<string, FieldValue>>)[each] ?? null;
    }
    return value;
  };
}

const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1);

function isIdName(name: string, { id, foreignKeySuffix: suffix }: FieldNames): boolean {
  const last = lastOf(name);
  return last === id || last === 'id' || last.endsWith(suffix) || last.endsWith(`${suffix}s`);
}

const secretWords =
  /^(?:passwords?|passwd|passphrase|pwd|pass|secrets?|tokens?|credentials?|signature|hash|nonce|otp|pin|salt|jwt|csrf|xsrf)$/;
const keys = /(?:api|access|private|secret|client|auth)_?keys?$/;

/** Whether a name suggests a secret, such as `apiKey` or `reset_token`. */
function isSecretName(name: string): boolean {
  const words = lastOf(name).replace(/([a-z\d])([A-Z])/g, '$1_$2');
  const lower = words.toLowerCase();
  return keys.test(lower) || lower.split(/[^a-z\d]+/).some((word) => secretWords.test(word));
}
