/** The log, for everything that writes to it. */
export interface Log {
  readonly error: WriteLine;
  readonly warn: WriteLine;
  readonly info: WriteLine;
  isLevelEnabled(level: 'error' | 'warn' | 'info' | 'debug'): boolean;
}

interface WriteLine {
  (message: string): void;
  (fields: object, message: string): void;
}
