/** What a setting is, and how the settings of several parts of the service make one table. */

export interface Setting<Value> {
  /** Its environment variable is the same in capitals, with underscores. */
  readonly flag: string;
  readonly placeholder: string;
  readonly meaning: string;
  readonly default: Value;
  /** The default of a service that is started from code, when it is another one. */
  readonly embeddedDefault?: Value;
  /** The default as `--help` prints it, when its value is not what a person would type. */
  readonly shownDefault?: string;
  /** Whether values are kept out of error messages. */
  readonly isSecret?: true;
  /** Whether the description of the service, or a file that tools import, depends on the value. */
  readonly isDescribed?: true;
  /**
   * Throws an `Error` whose message says what is accepted instead. `earlier` has the values of the settings that stand
   * before it in the table.
   */
  readonly parse: (text: string, earlier: Readonly<Record<string, unknown>>) => Value;
  /** What code may give instead of text, if anything. Throws as `parse` does. */
  readonly parseObject?: (given: object, earlier: Readonly<Record<string, unknown>>) => Value;
  /** What the flag stands for where no value follows it; others need one. */
  readonly bareFlag?: string;
}

/** By the name that code uses. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The value of each setting in a table. */
export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]['parse']>;
};

/** What code may give for each: words and numbers as they are, all else as it is typed in a shell. */
export type OptionsOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]?:
    | OptionFor<NonNullable<ReturnType<Table[Name]['parse']>>>
    | (Table[Name] extends { readonly parseObject: (given: infer Given) => unknown }
        ? Given
        : never);
};
type OptionFor<Value> = Value extends string | number ? Value : string;

type TableOf<Part> = Part extends { readonly settings: infer Table extends SettingTable }
  ? Table
  : never;
type Together<Tables> = [Tables] extends [never] ? Record<never, Setting<unknown>> : All<Tables>;
type All<Tables> = (Tables extends unknown ? (table: Tables) => void : never) extends (
  all: infer Every,
) => void
  ? Extract<Every, SettingTable>
  : never;

/** The settings of all parts that bring any, as one table. Throws when two have the same name or flag. */
export function settingsOf<const Parts extends readonly object[]>(
  parts: Parts,
): Together<TableOf<Parts[number]>> {
  const all: Record<string, Setting<unknown>> = {};
  for (const part of parts) {
    const { settings = {} } = part as { readonly settings?: SettingTable };
    for (const [name, setting] of Object.entries(settings)) {
      const isTaken = Object.values(all).some(({ flag }) => flag === setting.flag);
      if (isTaken || Object.hasOwn(all, name)) {
        throw new Error(`Two parts bring the setting ${name}, or its flag --${setting.flag}.`);
      }
      all[name] = setting;
    }
  }
  return all as Together<TableOf<Parts[number]>>;
}

/**
 * The values of a part's own settings, out of a configuration that was read from a table with them.
 * Throws when the part does not bring them to the table.
 */
export function valuesIn<Table extends SettingTable>(config: object, own: Table): ValuesOf<Table> {
  for (const name of Object.keys(own)) {
    if (!Object.hasOwn(config, name)) throw new Error(`No part brings the setting ${name}.`);
  }
  return config as ValuesOf<Table>;
}

/** Keeps the type of the value. */
export function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}

/** Of a setting that code may give an object for. */
export function objectSetting<Value>(
  definition: Setting<Value> & Required<Pick<Setting<Value>, 'parseObject'>>,
): typeof definition {
  return definition;
}

/** A demo credential, which is public on purpose; one that replaces it is not. */
export function credential<Value>({
  demo,
  ...definition
}: Omit<Setting<Value>, 'default'> & { readonly demo: string }): Setting<Value> {
  return {
    ...definition,
    default: definition.parse(demo, {}),
    shownDefault: demo,
    isSecret: true,
  };
}

/** RFC 7518 section 3.2: a key as long as the hash it is used with, or longer. */
const minKeyBytes = 32;

/** Without one that is set, a random one is made, which the state keeps. */
export function signingKey(flag: string, meaning: string): Setting<string | undefined> {
  return {
    flag,
    placeholder: 'text',
    meaning: `${meaning}, at least ${minKeyBytes} bytes (default: random, kept in the state)`,
    default: undefined,
    isSecret: true,
    parse: parseKey,
  };
}

function parseKey(text: string): string {
  if (Buffer.byteLength(text) < minKeyBytes) {
    throw new Error(`must have at least ${minKeyBytes} bytes`);
  }
  return text;
}
