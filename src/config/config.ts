/** Reads the settings of a service from the command line and environment, or from code. */

import { parseArgs } from 'node:util';
import { misspelledNameIn, nearestName } from '#base/text/did-you-mean.js';
import type { Setting, SettingTable, ValuesOf } from './setting.js';

export type Command<Table extends SettingTable> =
  | { readonly kind: 'start'; readonly config: ValuesOf<Table> }
  | { readonly kind: 'help'; readonly topic?: string }
  | { readonly kind: 'version' };

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

function variableOf({ flag }: Setting<unknown>): string {
  return flag.toUpperCase().replaceAll('-', '_');
}

export function variablesOf(table: SettingTable): readonly string[] {
  return Object.values(table).map(variableOf);
}

/** Reads the command line (without node and script), then the environment for other settings. Throws {@link ConfigError}. */
export function readCommand<Table extends SettingTable>(
  table: Table,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command<Table> {
  if (args[0] === 'help') return { kind: 'help', ...(args[1] && { topic: args[1] }) };
  const { flags, faults } = readFlags(table, args);
  if (flags.has('help')) return { kind: 'help' };
  if (flags.has('version')) return { kind: 'version' };

  const config = checkSettings(table, faults, (setting) => {
    const flag = flags.get(setting.flag);
    if (flag !== undefined) return { source: `--${setting.flag}`, value: flag };
    const variable = variableOf(setting);
    return { source: variable, value: environment[variable] || undefined };
  });
  return { kind: 'start', config };
}

/** Parses settings that a program passes; numbers, booleans and lists are parsed like their text. Throws {@link ConfigError}. */
export function configFrom<Table extends SettingTable>(
  table: Table,
  options: { readonly [Name in keyof Table]?: unknown },
): ValuesOf<Table> {
  return checkSettings(table, [], ({ embeddedDefault }, name) => ({
    source: name,
    value: options[name as keyof Table] ?? embeddedDefault,
  }));
}

function checkSettings<Table extends SettingTable>(
  table: Table,
  faults: readonly string[],
  given: (
    setting: Setting<unknown>,
    name: string,
  ) => { readonly source: string; readonly value: unknown },
): ValuesOf<Table> {
  const allFaults = [...faults];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(table)) {
    const { source, value } = given(setting, name);
    if (value === undefined) {
      config[name] = setting.default;
      continue;
    }
    try {
      config[name] =
        typeof value === 'object' && value !== null && setting.parseObject !== undefined
          ? setting.parseObject(value, config)
          : setting.parse(String(value), config);
    } catch (error) {
      const isShown =
        !setting.isSecret && (setting.parseObject === undefined || typeof value !== 'object');
      allFaults.push(describeFault(source, (error as Error).message, isShown, value));
    }
  }
  if (allFaults.length > 0) throw new ConfigError(allFaults);
  return Object.freeze(config as ValuesOf<Table>);
}

function describeFault(source: string, what: string, isShown: boolean, value: unknown): string {
  const shown = JSON.stringify(value);
  if (what.startsWith('must ')) return `${source} ${what}${isShown ? `; got ${shown}` : ''}.`;
  return `${source} is ${isShown ? `${shown}, but` : 'not usable:'} ${what}.`;
}

function readFlags(table: SettingTable, args: readonly string[]) {
  const named = Object.values(table).map(({ flag }) => flag);
  const known = new Set([...named, 'help', 'version']);
  const bare = new Map(Object.values(table).map(({ flag, bareFlag }) => [flag, bareFlag]));
  const repeatable = new Set(
    Object.values(table).flatMap(({ flag, isRepeatable }) => (isRepeatable ? [flag] : [])),
  );
  const flags = new Map<string, string>();
  const faults: string[] = [];
  const options = Object.fromEntries([
    ...named.map((flag) => [
      flag,
      { type: bare.get(flag) === undefined ? ('string' as const) : ('boolean' as const) },
    ]),
    ['help', { type: 'boolean' as const, short: 'h' }],
    ['version', { type: 'boolean' as const, short: 'v' }],
  ]);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'positional') {
      // The text after an unknown flag is probably its value.
      const before = tokens[index - 1];
      if (before?.kind === 'option' && !known.has(before.name)) continue;
      if (before?.kind === 'option' && bare.get(before.name) !== undefined && isSwitch(token.value))
        flags.set(before.name, token.value);
      else faults.push(unexpected(token.value, known));
    } else if (token.kind === 'option') {
      const takesValue = token.name !== 'help' && token.name !== 'version';
      if (!known.has(token.name)) {
        const hint = didYouMeanFlag(token.name, known);
        faults.push(`${token.rawName} is not a flag of this program;${hint} see --help.`);
      } else if (takesValue && token.value === undefined && bare.get(token.name) === undefined) {
        faults.push(`${token.rawName} needs a value; see --help.`);
      } else {
        const value = token.value ?? bare.get(token.name) ?? '';
        const earlier = repeatable.has(token.name) ? flags.get(token.name) : undefined;
        flags.set(token.name, earlier === undefined ? value : `${earlier},${value}`);
      }
    }
  }
  return { flags, faults };
}

/** A flag without a value may have one of these, such as `--h2c off`. */
const isSwitch = (text: string) => /^(?:on|off)$/i.test(text);

/** Flags of other programs. */
const usualFlags: Readonly<Record<string, string>> = {
  p: 'port',
  P: 'port',
  H: 'host',
  d: 'data',
  db: 'data',
  file: 'data',
  w: 'watch',
  r: 'json-server-routes',
  routes: 'json-server-routes',
  bind: 'host',
  verbose: 'log-level',
  https: 'tls-port',
  ssl: 'tls-port',
  tls: 'tls-port',
  http2: 'h2c',
};

function didYouMeanFlag(name: string, known: ReadonlySet<string>): string {
  const usual = Object.hasOwn(usualFlags, name) ? usualFlags[name] : undefined;
  const meant =
    usual !== undefined && known.has(usual)
      ? usual
      : (misspelledNameIn([...known])(name) ?? nearestName(name, [...known]));
  return meant === undefined ? '' : ` did you mean --${meant}?`;
}

/** Explains a word that belongs to no flag: other programs accept a file, a port or a command there. */
function unexpected(word: string, known: ReadonlySet<string>): string {
  const meant = [
    /\.(?:json|jsonc|ya?ml|js)$/i.test(word) && known.has('data') && `--data ${word}`,
    /^\d{1,5}$/.test(word) && known.has('port') && `--port ${word}`,
    known.has(word) && `--${word}`,
  ].find((each) => each !== false);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `${JSON.stringify(word)} is not expected here; settings are flags.${hint}`;
}

export interface SettingDescription {
  /** Such as `--port <number>`. */
  readonly flag: string;
  readonly variable: string;
  readonly meaning: string;
  /** `undefined` when the meaning says it. */
  readonly default: string | undefined;
}

export function describeSettings(table: SettingTable): SettingDescription[] {
  return Object.values(table).map((setting) => {
    const shown = setting.shownDefault ?? setting.default;
    const value = setting.bareFlag === undefined ? ` <${setting.placeholder}>` : '';
    return {
      flag: `--${setting.flag}${value}`,
      variable: variableOf(setting),
      meaning: setting.meaning,
      default: shown === undefined ? undefined : String(shown),
    };
  });
}
