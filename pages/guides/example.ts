/** A command of a guide that sends one request. */

/** What the build has read out of a command. */
export interface Example {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Name and password with a colon between, for Basic. */
  readonly user?: string;
  readonly cookie?: string;
  /** Whether redirects are followed. */
  readonly follows?: true;
}
