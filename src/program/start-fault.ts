/** System errors that another setting can fix, each with a line that explains how. */

const explanations: Readonly<
  Record<string, (error: NodeJS.ErrnoException & ListenFault) => string>
> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is already in use. Choose another with --port or PORT, or 0 for any free one.`,
  EACCES: ({ port }) =>
    `Listening on port ${port} is not permitted. Choose one above 1023 with --port or PORT.`,
  EADDRNOTAVAIL: ({ address }) =>
    `This machine has no address ${address}. Choose another with --host or HOST.`,
  ENOTFOUND: ({ hostname }) =>
    `The host ${hostname} cannot be found. Choose another with --host or HOST.`,
};

interface ListenFault {
  readonly port?: number;
  readonly address?: string;
  readonly hostname?: string;
}

/** Returns the lines to print; `undefined` for an error that no setting can fix. */
export function startFault(error: unknown): readonly string[] | undefined {
  const fault = error as NodeJS.ErrnoException & ListenFault;
  const line = explanations[fault.code ?? '']?.(fault);
  return line === undefined ? undefined : [line];
}
