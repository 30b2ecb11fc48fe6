/** Reads and checks the settings of a service, from the command line and environment or from code. */

import { parseArgs } from 'node:util';
import { type Config, type Setting, type SettingName, settings } from './settings.js';

export type Command =
  | { readonly kind: 'start'; readonly config: Config }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' };

/** Thrown with everything that is wrong with the settings, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const namedSettings = Object.entries(settings) as [SettingName, Setting<unknown>][];

function variableOf({ flag }: Setting<unknown>): string {
  return flag.toUpperCase().replaceAll('-', '_');
}

/** Every environment variable that is looked at. */
export const variables: readonly string[] = namedSettings.map(([, setting]) => variableOf(setting));

/**
 * Reads what to do from the command line (without node and script) and the environment. A flag beats
 * its variable, and an empty variable counts as none. Throws {@link ConfigError}.
 */
export function readCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const { flags, faults } = readFlags(args);
  if (flags.has('help')) return { kind: 'help' };
  if (flags.has('version')) return { kind: 'version' };

  const config = checkSettings(faults, (setting) => {
    const flag = flags.get(setting.flag);
    if (flag !== undefined) return { source: `--${setting.flag}`, value: flag };
    const variable = variableOf(setting);
    return { source: variable, value: environment[variable] || undefined };
  });
  return { kind: 'start', config };
}

/** Values of settings as code gives them; numbers, booleans and lists are read like their text. */
export type ConfigOptions = { readonly [Name in SettingName]?: unknown };

/** The configuration of a service started from code. Throws {@link ConfigError}. */
export function configFrom(options: ConfigOptions): Config {
  return checkSettings([], ({ embeddedDefault }, name) => ({
    source: name,
    value: options[name] ?? embeddedDefault,
  }));
}

function checkSettings(
  faults: readonly string[],
  given: (
    setting: Setting<unknown>,
    name: SettingName,
  ) => { readonly source: string; readonly value: unknown },
): Config {
  const allFaults = [...faults];
  const config: Partial<Record<SettingName, unknown>> = {};
  for (const [name, setting] of namedSettings) {
    const { source, value } = given(setting, name);
    if (value === undefined) {
      config[name] = setting.default;
      continue;
    }
    try {
      config[name] = setting.parse(String(value));
    } catch (error) {
      const problem = setting.isSecret ? 'not usable:' : `${JSON.stringify(value)}, but`;
      allFaults.push(`${source} is ${problem} ${(error as Error).message}.`);
    }
  }
  if (allFaults.length > 0) throw new ConfigError(allFaults);
  return Object.freeze(config as Config);
}

function readFlags(args: readonly string[]) {
  const known = new Set([...namedSettings.map(([, setting]) => setting.flag), 'help', 'version']);
  const flags = new Map<string, string>();
  const faults: string[] = [];
  const options = Object.fromEntries([
    ...namedSettings.map(([, setting]) => [setting.flag, { type: 'string' as const }]),
    ['help', { type: 'boolean' as const, short: 'h' }],
    ['version', { type: 'boolean' as const, short: 'v' }],
  ]);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'positional') {
      // What follows an unknown flag is most likely its value: one fault, not two.
      const before = tokens[index - 1];
      if (before?.kind === 'option' && !known.has(before.name)) continue;
      faults.push(`${JSON.stringify(token.value)} is not expected here; settings are flags.`);
    } else if (token.kind === 'option') {
      const takesValue = token.name !== 'help' && token.name !== 'version';
      if (!known.has(token.name)) {
        faults.push(`${token.rawName} is not a flag of this program; see --help.`);
      } else if (takesValue && token.value === undefined) {
        faults.push(`${token.rawName} needs a value; see --help.`);
      } else {
        flags.set(token.name, token.value ?? '');
      }
    }
  }
  return { flags, faults };
}

/** How a setting is shown to people. */
export interface SettingDescription {
  /** Such as `--port <number>`. */
  readonly flag: string;
  readonly variable: string;
  readonly meaning: string;
  /** `undefined` when the meaning says what is done without a value. */
  readonly default: string | undefined;
}

/** Every setting, in the order of the table. */
export function describeSettings(): SettingDescription[] {
  return namedSettings.map(([, setting]) => {
    const shown = setting.shownDefault ?? setting.default;
    return {
      flag: `--${setting.flag} <${setting.placeholder}>`,
      variable: variableOf(setting),
      meaning: setting.meaning,
      default: shown === undefined ? undefined : String(shown),
    };
  });
}

/** What `--help` prints. */
export function helpText(): string {
  const settingRows = describeSettings().map((setting) => {
    const fallback = setting.default === undefined ? '' : ` [${setting.default}]`;
    return [setting.flag, setting.variable, setting.meaning + fallback] as const;
  });
  const rows = [
    ['flag', 'variable', 'meaning [default]'] as const,
    ...settingRows,
    ['-h, --help', '', 'print this and stop'] as const,
    ['-v, --version', '', 'print the version and stop'] as const,
  ];
  const flagWidth = Math.max(...rows.map(([flag]) => flag.length));
  const variableWidth = Math.max(...rows.map(([, variable]) => variable.length));
  return [
    'Practice API: the service that people practise API clients and tests against.',
    '',
    'Usage: practice-api [flags]',
    '',
    ...rows.map(
      ([flag, variable, meaning]) =>
        `  ${flag.padEnd(flagWidth)}  ${variable.padEnd(variableWidth)}  ${meaning}`,
    ),
  ].join('\n');
}
