/** Runs Codex against a sandbox, without its requests to other hosts. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { foreignProgram } from '../../support/foreign-program.js';
import { type WatchedRequests, watchRequests } from './watch-requests.js';

export const codex = foreignProgram('codex');

const model = 'practice-1-thinking';

const configOf = (base: string) => `
model = "${model}"
model_provider = "practice"
check_for_update_on_startup = false

[analytics]
enabled = false

[feedback]
enabled = false

[features]
plugins = false

[model_providers.practice]
name = "Practice API"
base_url = "${base}/llm/openai/v1"
env_key = "PRACTICE_KEY"
wire_api = "responses"

[mcp_servers.practice]
url = "${base}/mcp"
default_tools_approval_mode = "approve"
`;

export interface Turn {
  readonly origin: string;
  readonly sandbox: string;
  readonly prompt: string;
  /** A model of Codex's catalog, whose tools and settings it uses; else those for an unknown model. */
  readonly likeModel?: string;
}

/** Part of a turn, such as a message, with its own members. */
export interface CodexItem {
  readonly type: string;
}

/** An event of the output, such as `item.completed`. */
interface CodexEvent {
  readonly type: string;
  readonly message?: string;
  readonly item?: CodexItem;
}

export interface EndedTurn extends Pick<WatchedRequests, 'sent' | 'others'> {
  readonly events: readonly CodexEvent[];
}

export async function runCodex({ origin, sandbox, prompt, likeModel }: Turn): Promise<EndedTurn> {
  const folder = mkdtempSync(join(tmpdir(), 'practice-codex-'));
  const watched = await watchRequests(origin);
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, CODEX_HOME: folder },
    ...{ PRACTICE_KEY: 'sk-practice-openai' },
    ...{ HTTP_PROXY: watched.url, HTTPS_PROXY: watched.url },
    ...{ http_proxy: watched.url, https_proxy: watched.url },
  };
  const run = async (...args: readonly string[]) => {
    const options = { env, cwd: folder, timeout: 50_000, maxBuffer: 2 ** 26 };
    const running = promisify(execFile)(codex.command, args, options);
    running.child.stdin?.end();
    // A turn that fails is in the output.
    return running.catch((error: { stdout: string }) => error);
  };
  try {
    writeFileSync(join(folder, 'config.toml'), configOf(`${origin}/s/${sandbox}`));
    mkdirSync(join(folder, 'work'));
    const settings: string[] = [];
    if (likeModel !== undefined) {
      const { models } = JSON.parse((await run('debug', 'models')).stdout);
      const found = models.find(({ slug }: { slug: string }) => slug === likeModel);
      if (found === undefined) throw new Error(`Codex has no model ${likeModel}.`);
      const file = join(folder, 'models.json');
      writeFileSync(file, JSON.stringify({ models: [{ ...found, slug: model }] }));
      settings.push('-c', `model_catalog_json="${file}"`);
    }
    const { stdout } = await run(
      ...['exec', '--json', '--ephemeral', '--skip-git-repo-check'],
      ...['--sandbox', 'read-only', '--cd', join(folder, 'work'), ...settings, prompt],
    );
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { events, sent: watched.sent, others: watched.others };
  } finally {
    watched.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
