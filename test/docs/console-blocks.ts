/** Commands and what they print, as they stand in the console blocks of a Markdown text. */

export interface Example {
  /** One command of a shell, perhaps over several lines. */
  readonly command: string;
  /** What it prints; `…` stands for anything, within a line or as lines of its own. */
  readonly output: string;
  /** The line of the text where the command stands, from 1. */
  readonly line: number;
}

const fence = /^```(.*)$/;

export function consoleBlocks(markdown: string): Example[] {
  const examples: { command: string; output: string[]; line: number }[] = [];
  let isInside = false;
  let isContinued = false;
  for (const [index, line] of markdown.split('\n').entries()) {
    const mark = fence.exec(line);
    const last = examples.at(-1);
    if (mark) {
      isInside = !isInside && mark[1] === 'console';
    } else if (isInside && line.startsWith('$ ')) {
      examples.push({ command: line.slice(2), output: [], line: index + 1 });
    } else if (isInside && last && isContinued) {
      last.command += `\n${line.replace(/^> /, '')}`;
    } else if (isInside && last) {
      last.output.push(line);
    }
    isContinued = isInside && line.endsWith('\\') && (line.startsWith('$ ') || isContinued);
  }
  return examples.map(({ command, output, line }) => ({
    command,
    output: output.join('\n').trim(),
    line,
  }));
}

/** Whether what was printed is what an example shows. */
export function isAsShown(printed: string, shown: string): boolean {
  const pattern = shown.split('…').map(escapeForPattern).join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(printed.replaceAll('\r', '').trim());
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
