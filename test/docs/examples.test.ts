/**
 * Runs the examples of the documentation against a separate service, as a reader would: the
 * README's, the changed pages', and in turn a fifth of the others'.
 */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ServiceOptions } from '../../src/index.js';
import { everyNth, isChanged } from '../support/every-third.js';
import type { ProgramName } from '../support/find-program.js';
import { type ForeignProgram, foreignProgram, testsWith } from '../support/foreign-program.js';
import { inReaderFolder } from '../support/reader-folder.js';
import { useService } from '../support/service.js';
import { consoleBlocks, type Example, isAsShown } from './console-blocks.js';
import { type CodeExample, codeExamples, excerpts, failureRows, savedFiles } from './markdown.js';
import { readText, root, texts } from './pages.js';

/** The base URL that the documentation uses for the reader's own service. */
const shownHost = 'localhost:3000';
/** The TLS port in the documentation. */
const shownTlsPort = '8443';

/** The URL of the service of a text. */
interface Place {
  readonly host: string;
  readonly tlsPort: string | undefined;
}

/** Replaces the reader's base URL with the test's. */
function placed(text: string, { host, tlsPort }: Place): string {
  const own = text.replaceAll(shownHost, host);
  return tlsPort === undefined ? own : own.replaceAll(shownTlsPort, tlsPort);
}

function shown(text: string, { host, tlsPort }: Place): string {
  const own = text.replaceAll(host, shownHost);
  return tlsPort === undefined ? own : own.replaceAll(tlsPort, shownTlsPort);
}

const pythons = {
  requests: foreignProgram('requests'),
  zeep: foreignProgram('zeep'),
  flask: foreignProgram('flask'),
  fastapi: foreignProgram('fastapi'),
};

/** Programs that commands of the documentation begin with or pipe into. */
const called = { curl: 'curl', http: 'httpie', openssl: 'openssl', xmllint: 'xmllint' } as const;

function programsOf(examples: readonly Example[]): readonly ProgramName[] {
  const words = new Set(examples.flatMap(({ command }) => command.split(/[\s"'$(|]+/)));
  return Object.entries(called).flatMap(([word, name]) => (words.has(word) ? [name] : []));
}

/** The options that a text tells its reader to start the service with. */
const optionsOf: Readonly<Record<string, ServiceOptions>> = {
  'docs/tls.md': { tls: true },
  'docs/auth/mtls.md': { tls: true },
  'docs/faults.md': { h2c: true },
  'docs/accounts.md': { accounts: 'required', accountQuota: 20 },
};

const isAlwaysRun = (text: string) => text === 'README.md' || isChanged(text);
const others = everyNth(
  texts.filter((text) => !isAlwaysRun(text)),
  5,
);

for (const text of texts.filter((each) => isAlwaysRun(each) || others.includes(each))) {
  const markdown = readText(text);
  const examples = consoleBlocks(markdown);
  const failures = failureRows(markdown);
  const programs = codeExamples(markdown);
  const files = savedFiles(markdown);
  if (examples.length + programs.length === 0) continue;

  describe(text, () => {
    const service = useService(optionsOf[text]);
    const place = (): Place => ({
      host: new URL(service.url).host,
      tlsPort: optionsOf[text]?.tls ? new URL(service.tlsUrl ?? '').port : undefined,
    });

    if (examples.length > 0) {
      testsWith(...programsOf(examples)).test(
        `its ${examples.length} examples print the shown output`,
        { timeout: 120_000 },
        async () => {
          const printed = await runInOneShell(examples, files, place());
          for (const [index, { command, output, line }] of examples.entries()) {
            const where = `${text}:${line}: ${command}`;
            const actual = printed[index] ?? '';
            // The comparison of texts shows the difference when a test fails.
            if (!isAsShown(actual, output))
              expect(`${where}\n${actual}`).toBe(`${where}\n${output}`);
          }
          const unproven = failures.filter(({ status, message }) => {
            const isShown = (response: string) =>
              new RegExp(`\\b${status}\\b`).test(response) && isAsShown(response, `…${message}…`);
            return !printed.some((response) => isShown(response.replaceAll('\\"', '"')));
          });
          expect(unproven, 'failures in the table that no example of the page meets').toEqual([]);
        },
      );
    }

    for (const program of programs) {
      const runs = program.language === 'python' ? pythonFor(program).test : test;
      runs(
        `runs its ${program.language} of line ${program.line}`,
        { timeout: 120_000 },
        async () => {
          const printed = shown(await runProgram(program, files, place()), place());
          if (program.output === undefined || isAsShown(printed, program.output)) return;
          expect(printed).toBe(program.output);
        },
      );
    }
  });
}

test('the README has a sentence, a picture, a command and its response within 30 lines', () => {
  const text = readText('README.md');
  const first = text.split('\n').slice(0, 30).join('\n');
  expect(first).toContain('<picture>');
  expect(first).toContain('npm ci && npm start');
  expect(consoleBlocks(first)).toHaveLength(1);
  expect(consoleBlocks(text).length).toBeGreaterThan(0);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test.each(texts.flatMap((text) => excerpts(readText(text)).map((each) => [text, each] as const)))(
  '%s quotes its files unchanged',
  (_text, { path, text: quoted }) => {
    expect(readText(path)).toContain(quoted);
  },
);

/**
 * One shell for all examples of a text, so that later examples have the variables of earlier ones.
 */
async function runInOneShell(
  examples: readonly Example[],
  files: ReturnType<typeof savedFiles>,
  place: Place,
): Promise<string[]> {
  const end = '=== end of example ===';
  const program = fileURLToPath(new URL('dist/main.js', root));
  // A program of its name, so that a signal to a job reaches it.
  const command = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  const script = examples
    .map(({ command }) => `${placed(command, place)}\nprintf '%s' '${end}'`)
    .join('\n');
  return inReaderFolder(async (folder) => {
    save(files, folder, place);
    writeFileSync(join(folder, 'practice-api'), command, { mode: 0o755 });
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      cwd: folder,
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split(end).map((printed) => shown(printed, place));
  });
}

function pythonFor({ code }: CodeExample): ForeignProgram {
  if (/^import .*\bzeep\b/m.test(code)) return pythons.zeep;
  if (/^import flask_app\b/m.test(code)) return pythons.flask;
  if (/^import fastapi_app\b/m.test(code)) return pythons.fastapi;
  return pythons.requests;
}

/** Returns the output of a program, run with the page's files beside it; rejects when it fails. */
async function runProgram(
  program: CodeExample,
  files: ReturnType<typeof savedFiles>,
  place: Place,
): Promise<string> {
  const code = placed(program.code, place);
  return inReaderFolder(async (folder) => {
    save(files, folder, place);
    const file = join(folder, program.language === 'js' ? 'example.mjs' : 'example.py');
    writeFileSync(file, code);
    if (program.language === 'python') return pythonFor(program).run(file);
    const env = { ...process.env, NODE_OPTIONS: '', NODE_TEST_CONTEXT: '' };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder, env });
    return stdout;
  });
}

function save(files: ReturnType<typeof savedFiles>, folder: string, place: Place): void {
  for (const { name, text } of files) writeFileSync(join(folder, name), placed(text, place));
}
