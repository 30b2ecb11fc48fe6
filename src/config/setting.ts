/** Settings, and tables of them. */

/** The groups of `--help`, in their order. */
export const settingGroups = {
  listen: 'Where the service listens',
  runner: 'Started by tests',
  data: 'Your own data',
  accounts: 'Accounts',
  operation: 'Operation',
  limits: 'Limits',
  credentials: 'Credentials and keys',
} as const;

export interface Setting<Value> {
  readonly group: keyof typeof settingGroups;
  /** Its environment variable is the same in capitals, with underscores. */
  readonly flag: string;
  readonly placeholder: string;
  readonly meaning: string;
  readonly default: Value;
  /** The default of a service that is started from code, if it differs. */
  readonly embeddedDefault?: Value;
  /** The default as `--help` prints it, if it is not its value. */
  readonly shownDefault?: string;
  /** Whether values are kept out of error messages. */
  readonly isSecret?: true;
  /** Whether the API description or a file that tools import depends on the value. */
  readonly isDescribed?: true;
  /** Throws an `Error` that says what is accepted. `earlier` has the values of earlier settings of the table. */
  readonly parse: (text: string, earlier: Readonly<Record<string, unknown>>) => Value;
  readonly parseObject?: (given: object, earlier: Readonly<Record<string, unknown>>) => Value;
  /** Whether the flag may be repeated; its values are then joined with commas. */
  readonly isRepeatable?: true;
  /** The value of the flag without a value; others need one. */
  readonly bareFlag?: string;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]['parse']>;
};

/** The values that code may give: words and numbers, others as text. */
export type OptionsOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]?:
    | OptionFor<NonNullable<ReturnType<Table[Name]['parse']>>>
    | (Table[Name] extends { readonly parseObject: (given: infer Given, earlier: never) => unknown }
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

/** Combines the settings of parts. Throws when two have the same name or flag. */
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

/** Returns the values of a part's settings in a configuration. Throws if its table had none of them. */
export function valuesIn<Table extends SettingTable>(config: object, own: Table): ValuesOf<Table> {
  for (const name of Object.keys(own)) {
    if (!Object.hasOwn(config, name)) throw new Error(`No part brings the setting ${name}.`);
  }
  return config as ValuesOf<Table>;
}

export function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}

/** Infers the types of a setting for which code may give an object. */
export function objectSetting<Value>(
  definition: Setting<Value> & Required<Pick<Setting<Value>, 'parseObject'>>,
): typeof definition {
  return definition;
}

/** Creates the setting of a demo credential. The demo value is public; a value that replaces it is secret. */
export function credential<Value>({
  demo,
  ...definition
}: Omit<Setting<Value>, 'default' | 'group'> & { readonly demo: string }): Setting<Value> {
  return {
    ...definition,
    group: 'credentials',
    default: definition.parse(demo, {}),
    shownDefault: demo,
    isSecret: true,
  };
}

/** RFC 7518 section 3.2: at least as long as the hash. */
const minKeyBytes = 32;

export function signingKey(flag: string, meaning: string): Setting<string | undefined> {
  return {
    group: 'credentials',
    flag,
    placeholder: 'text',
    meaning: `${meaning}, at least ${minKeyBytes} bytes (default: random, kept in the state)`,
    default: undefined,
    isSecret: true,
    parse(text) {
      if (Buffer.byteLength(text) >= minKeyBytes) return text;
      throw new Error(`must have at least ${minKeyBytes} bytes`);
    },
  };
}
