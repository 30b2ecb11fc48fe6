/** Commands and their output, as the console blocks of a Markdown text show them. */

export interface Example {
  /** One command of a shell, perhaps over several lines. */
  readonly command: string;
  /** Its output; `…` means anything, within a line or as whole lines. */
  readonly output: string;
  /** The line number of the command in the text, from 1. */
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

/** Whether the output is as the example shows. */
export function isAsShown(printed: string, shown: string): boolean {
  const pattern = shown.split('…').map(escapeForPattern).join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(printed.replaceAll('\r', '').trim());
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
