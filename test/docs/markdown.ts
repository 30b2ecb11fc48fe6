/** Parses Markdown for the documentation's tests: fenced blocks, headings, links, tables. */

export interface Block {
  /** The info string after the backticks, such as `js run`. */
  readonly info: string;
  readonly text: string;
  /** The line number of the fence, from 1. */
  readonly line: number;
}

export interface CodeExample {
  readonly language: 'js' | 'python';
  readonly code: string;
  /** The `text` block that follows, with `…` for anything; `undefined` without one. */
  readonly output: string | undefined;
  readonly line: number;
}

export interface FailureRow {
  readonly status: string;
  /** The expected output, with `…` for anything. */
  readonly message: string;
}

const fence = /^```(.*)$/;

export function fencedBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { info: string; lines: string[]; line: number } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const info = fence.exec(line)?.[1];
    if (info === undefined) open?.lines.push(line);
    else if (open === undefined) open = { info, lines: [], line: index + 1 };
    else {
      blocks.push({ info: open.info, text: open.lines.join('\n'), line: open.line });
      open = undefined;
    }
  }
  return blocks;
}

/** The blocks marked to run, each as a separate program. */
export function codeExamples(markdown: string): CodeExample[] {
  const lines = markdown.split('\n');
  const blocks = fencedBlocks(markdown);
  return blocks.flatMap(({ info, text, line }, index) => {
    const [, language] = /^(js|python) run$/.exec(info) ?? [];
    if (language !== 'js' && language !== 'python') return [];
    const next = blocks[index + 1];
    const end = line + text.split('\n').length + 1;
    const follows =
      next?.info === 'text' && lines.slice(end, next.line - 1).every((each) => each === '');
    return [{ language, code: text, output: follows ? next.text : undefined, line }];
  });
}

/** The files that a page tells its reader to save, which its programs and commands use. */
export function savedFiles(markdown: string): { name: string; text: string }[] {
  return fencedBlocks(markdown).flatMap(({ info, text }) => {
    const [, name] = /^\w+ as ([\w.-]+)$/.exec(info) ?? [];
    return name === undefined ? [] : [{ name, text }];
  });
}

/** The excerpts of files of this project, which are marked with the file's path. */
export function excerpts(markdown: string): { path: string; text: string; line: number }[] {
  return fencedBlocks(markdown).flatMap(({ info, text, line }) => {
    const [, path] = /^\w+ from (\S+)$/.exec(info) ?? [];
    return path === undefined ? [] : [{ path, text, line }];
  });
}

/** The text without fenced blocks. */
export function proseOf(markdown: string): string {
  let isInside = false;
  const lines = markdown.split('\n').filter((line) => {
    if (!fence.test(line)) return !isInside;
    isInside = !isInside;
    return false;
  });
  return lines.join('\n');
}

export function headingsOf(markdown: string): { level: number; text: string }[] {
  return [...proseOf(markdown).matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks = '', text = '']) => ({
    level: marks.length,
    text,
  }));
}

/** The fragments that link to headings, as GitHub generates them. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const { text } of headingsOf(markdown)) {
    const words = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The targets of the links and images of a text, outside code. */
export function linksOf(markdown: string): string[] {
  const prose = proseOf(markdown).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The text below a heading of the second level, up to the next one. */
export function sectionOf(markdown: string, heading: string): string | undefined {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start < 0) return undefined;
  const body = markdown.slice(start + heading.length + 5);
  const end = body.indexOf('\n## ');
  return end < 0 ? body : body.slice(0, end);
}

/** The rows of the table of failures: a status, and the message in backticks. */
export function failureRows(markdown: string): FailureRow[] {
  const section = proseOf(sectionOf(markdown, 'What each failure means') ?? '');
  return [...section.matchAll(/^\| (\d{3}) \| `([^`]+)`/gm)].map(
    ([, status = '', message = '']) => ({ status, message }),
  );
}
