/** The default lifetimes of what the issuer gives out, in seconds of the sandbox's clock. */

export const lifetimes = {
  code: 60,
  access: 3600,
  id: 3600,
  refresh: 14 * 24 * 3600,
  session: 8 * 3600,
} as const;

export type Lifetimes = Readonly<Record<keyof typeof lifetimes, number>>;
