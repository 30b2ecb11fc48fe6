/** Quotes words for a POSIX shell (IEEE Std 1003.1, Shell Command Language, section 2.2). */

/** Words without special characters of a shell. */
const plain = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** Returns a safe word unchanged, and any other in single quotes. */
export function quoteShell(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Writes a command on one line, or one line per argument group if it is long; `continued` ends a
 * line.
 */
export function shellCommand(first: string, groups: readonly string[], continued = '\\'): string {
  const line = [first, ...groups].join(' ');
  if (groups.length === 0 || (line.length <= 76 && !line.includes('\n'))) return line;
  return [first, ...groups].join(` ${continued}\n  `);
}

export function shellLoop(times: number, command: string): string {
  if (times === 1) return command;
  const numbers = Array.from({ length: times }, (_, index) => index + 1).join(' ');
  return `for i in ${numbers}; do\n  ${command}\ndone`;
}
