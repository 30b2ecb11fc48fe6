/** Words for a POSIX shell (IEEE Std 1003.1, Shell Command Language, section 2.2). */

/** Nothing in these means anything to a shell, wherever they stand in a word. */
const plain = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

/** The word as it is where that is safe, else within single quotes, where only they need care. */
export function quoteShell(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Commands as one line, or a line per argument group where that would be long; `continued` ends a line. */
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
