/** A request that shows a bug, and reports about it: true, wrong and undecidable. */

export interface BugCase {
  /** Requests in the notation of the scripts of challenges. `A & B` sends two at once. */
  readonly steps: readonly string[];
  /** Number of the step that the reports describe. Default: the last. */
  readonly reported?: number;
  /** Further requests, the last of which is reported and not sent: its token works once. */
  readonly again?: readonly string[];
  /** A place in the response of the last step that differs, such as `headers.location` or `body.0.id`. */
  readonly at: string;
  /** The documented value: `null` if there is none, `{ length }` of a list. */
  readonly right: unknown;
  readonly wrong: unknown;
  /** Requests of which the last behaves as documented in spite of the bug, at least in its status. */
  readonly healthy: readonly string[];
  readonly healthyStatus: number;
}

export interface Claims {
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Returns three reports of the bug: an object, a name with its value, and a sentence. */
export function trueReports({ at, right, wrong }: BugCase): readonly Claims[] {
  const say = (form: (at: string, value: unknown) => unknown): Claims => ({
    expected: form(at, right),
    actual: form(at, wrong),
  });
  return [say(asObject), say(asLine), say(asSentence)];
}

/** Returns reports that do not describe the bug: the reverse, other values, and words without a value. */
export function wrongReports({ right, wrong, at }: BugCase): readonly Claims[] {
  return [
    { expected: asObject(at, wrong), actual: asObject(at, right) },
    { expected: { headers: { server: 'a' } }, actual: { headers: { server: 'b' } } },
    { expected: 'It should work.', actual: 'It does not work.' },
  ];
}

/** Returns a report with a status that the replay does not have. */
export function undecidableReport({ at, right }: BugCase): Claims {
  return { expected: asObject(at, right), actual: { status: 507 } };
}

const isLength = (value: unknown): value is { readonly length: number } =>
  typeof value === 'object' && value !== null && 'length' in value;

function asObject(at: string, value: unknown): unknown {
  const [part = '', ...names] = at.split('.');
  if (part === 'status') return { status: value };
  if (part === 'headers') return { headers: { [names.join('.')]: value } };
  const inner = isLength(value) ? Array.from({ length: value.length }, () => ({})) : value;
  return { body: names.reduceRight<unknown>((below, name) => wrap(name, below), inner) };
}

const wrap = (name: string, value: unknown) => (name === '0' ? [value] : { [name]: value });

const nameOf = (at: string) =>
  at
    .split('.')
    .filter((name) => name !== '0')
    .at(-1) ?? '';

function asLine(at: string, value: unknown): unknown {
  if (at === 'status') return `HTTP/1.1 ${value}`;
  if (value === null) return `${nameOf(at)}: none`;
  if (isLength(value)) return `${nameOf(at)}: ${value.length} items`;
  return `${nameOf(at)}: ${at.startsWith('headers.') ? value : JSON.stringify(value)}`;
}

function asSentence(at: string, value: unknown): unknown {
  const name = nameOf(at);
  if (at === 'status') return `I think that its status is ${value}.`;
  if (value === null) return `The response has no ${name}.`;
  if (isLength(value)) return `There are ${value.length} in ${name}.`;
  const shown = at.startsWith('headers.') ? value : JSON.stringify(value);
  return `Here, ${name} has the value ${shown}, I think.`;
}
