/**
 * Executes the Dockerfile in temporary folders, without a container engine: its copies, its
 * commands, and finally the start command of the image.
 */

import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  type Copy,
  DockerfileParser,
  type Healthcheck,
  type JSONInstruction,
} from 'dockerfile-ast';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Image {
  /** The folder for the working directory of the last stage. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly healthCheck: readonly string[];
}

/** The build context: the names that .dockerignore allows. */
export function contextNames(): string[] {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

export async function buildImage(folder: string): Promise<Image> {
  const dockerfile = DockerfileParser.parse(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const sent = contextNames();
  const stages = new Map<string, { readonly folder: string; readonly workdir: string }>();
  let stage = '';
  let image: Image = { folder, environment: {}, user: 'root', entrypoint: [], healthCheck: [] };

  for (const instruction of dockerfile.getInstructions()) {
    const words = instruction.getArguments().map((argument) => argument.getValue());
    switch (instruction.getKeyword()) {
      case 'FROM':
        stage = words[2] ?? 'last';
        image = { ...image, folder: join(folder, stage), environment: {}, user: 'root' };
        mkdirSync(image.folder);
        break;
      case 'WORKDIR':
        stages.set(stage, { folder: image.folder, workdir: words[0] ?? '' });
        break;
      case 'COPY': {
        const from = stages.get((instruction as Copy).getFromFlag()?.getValue() ?? '');
        const target = join(image.folder, words.at(-1) ?? '');
        const isIntoFolder = words.at(-1)?.endsWith('/') ?? false;
        for (const source of words.slice(0, -1)) {
          if (from === undefined && !sent.includes(source)) {
            throw new Error(`.dockerignore keeps ${source} from the builder.`);
          }
          const path = from
            ? join(from.folder, source.replace(`${from.workdir}/`, ''))
            : join(root, source);
          cpSync(path, isIntoFolder ? join(target, basename(path)) : target, { recursive: true });
        }
        break;
      }
      case 'RUN':
        await runInStage(instruction.getArgumentsContent() ?? '', image.folder);
        break;
      case 'ENV': {
        const [name = '', value = ''] = (instruction.getArgumentsContent() ?? '').split('=');
        image = { ...image, environment: { ...image.environment, [name]: value } };
        break;
      }
      case 'USER':
        image = { ...image, user: words[0] ?? '' };
        break;
      case 'ENTRYPOINT':
        image = { ...image, entrypoint: stringsOf(instruction as JSONInstruction) };
        break;
      case 'HEALTHCHECK':
        image = { ...image, healthCheck: healthCommandOf(instruction as Healthcheck) };
        break;
    }
  }
  return image;
}

function stringsOf(instruction: JSONInstruction): string[] {
  return instruction.getJSONStrings().map((string) => string.getJSONValue());
}

function healthCommandOf(instruction: Healthcheck): string[] {
  const [, list = '[]'] = /CMD\s+(\[.*\])/.exec(instruction.getTextContent()) ?? [];
  return JSON.parse(list);
}

/** The lock file of what is installed. */
const installed = '.package-lock.json';

async function runInStage(command: string, folder: string): Promise<void> {
  if (command.startsWith('npm ci ')) {
    // The result of `npm ci` from the same lock file, before these tests; links, so that it is
    // fast.
    const modules = join(root, 'node_modules');
    const linked = join(folder, 'node_modules');
    mkdirSync(linked);
    // Without caches, whose files come and go meanwhile.
    const packages = readdirSync(modules).filter(
      (name) => !name.startsWith('.') || name === '.bin',
    );
    const paths = packages.map((name) => join(modules, name));
    await promisify(execFile)('cp', ['-al', ...paths, linked]);
    // A copy, because a later command rewrites it.
    copyFileSync(join(modules, installed), join(linked, installed));
    return;
  }
  const env = { ...process.env, npm_config_offline: 'true' };
  await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
}
