/** Reads a call of fetch whose arguments are literals; throws a {@link PasteFault} for others. */

import { type PastedRequest, PasteFault } from './pasted.js';

/** Begins the first call of fetch in a program. */
const call = /\bfetch\(/;

const onlyLiterals = 'This console reads calls of fetch whose arguments are literals.';

/** Returns `undefined` if the text has no call of fetch. */
export function readFetch(text: string): PastedRequest | undefined {
  const found = call.exec(text);
  if (found === null) return undefined;
  if (call.test(text.slice(found.index + found[0].length))) {
    throw new PasteFault('This console sends one request. Paste one call of fetch.');
  }
  const reader = new Literals(text.slice(found.index + found[0].length));
  const address = reader.value();
  const options = reader.skip(',') && !reader.skip(')') ? reader.value() : {};
  if (typeof address !== 'string' || !isObject(options)) throw new PasteFault(onlyLiterals);
  const { method = 'GET', headers = {}, body = '' } = options;
  if (typeof method !== 'string' || !isObject(headers) || typeof body !== 'string') {
    throw new PasteFault(onlyLiterals);
  }
  return {
    method: method.toUpperCase(),
    address,
    headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    body,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const token =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`)|(-?\d[\w.]*)|(JSON\.stringify|btoa|[A-Za-z_$][\w$]*)|([{}[\](),:+]))/sy;

/** Literals of JavaScript, with `JSON.stringify`, `btoa` and `+`. */
class Literals {
  readonly #text: string;
  #place = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #next() {
    token.lastIndex = this.#place;
    const found = token.exec(this.#text);
    if (found === null) throw new PasteFault(onlyLiterals);
    const [all, quoted, digits, word, sign] = found;
    return { end: this.#place + all.length, quoted, digits, word, sign };
  }

  /** Returns whether the next token is this sign, and then continues after it. */
  skip(sign: string): boolean {
    const next = this.#next();
    if (next.sign !== sign) return false;
    this.#place = next.end;
    return true;
  }

  #demand(sign: string): void {
    if (!this.skip(sign)) throw new PasteFault(onlyLiterals);
  }

  value(): unknown {
    const first = this.#single();
    return typeof first === 'string' && this.skip('+') ? first + String(this.value()) : first;
  }

  #single(): unknown {
    const { end, quoted, digits, word, sign } = this.#next();
    this.#place = end;
    if (quoted !== undefined) return unquoted(quoted);
    if (digits !== undefined) return Number(digits);
    if (sign === '{') return this.#object();
    if (sign === '[') return this.#list();
    if (word === 'JSON.stringify' || word === 'btoa') return this.#call(word);
    const constant = { true: true, false: false, null: null }[word ?? ''];
    if (constant === undefined) throw new PasteFault(onlyLiterals);
    return constant;
  }

  #call(name: 'JSON.stringify' | 'btoa'): string {
    this.#demand('(');
    const value = this.value();
    this.#demand(')');
    return name === 'btoa' ? btoa(String(value)) : JSON.stringify(value);
  }

  #object(): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    while (!this.skip('}')) {
      const { end, quoted, word, digits } = this.#next();
      const name = quoted === undefined ? (word ?? digits) : unquoted(quoted);
      if (name === undefined) throw new PasteFault(onlyLiterals);
      this.#place = end;
      this.#demand(':');
      members[name] = this.value();
      if (!this.skip(',')) {
        this.#demand('}');
        break;
      }
    }
    return members;
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    while (!this.skip(']')) {
      items.push(this.value());
      if (!this.skip(',')) {
        this.#demand(']');
        break;
      }
    }
    return items;
  }
}

/** Returns the text of a quoted literal, with the escapes of JSON. */
function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1);
  const json = inner.replace(/\\(.)|["\n\r\t]/gs, (found, escaped?: string) => {
    if (escaped === undefined) return JSON.stringify(found).slice(1, -1);
    return /["\\/bfnrtu]/.test(escaped) ? found : JSON.stringify(escaped).slice(1, -1);
  });
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    throw new PasteFault(onlyLiterals);
  }
}
