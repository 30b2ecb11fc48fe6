/** A guide's command that sends one request. */

/** The request of a command, as parsed by the build. */
export interface Example {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Name and password, separated by a colon, for Basic. */
  readonly user?: string;
  readonly cookie?: string;
  /** Whether redirects are followed. */
  readonly follows?: true;
}
