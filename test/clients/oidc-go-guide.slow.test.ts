/** The Go programs of the guide, compiled with Debian's libraries and run against the service. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect } from 'vitest';
import { savedFiles } from '../docs/markdown.js';
import { readText } from '../docs/pages.js';
import { testsWith } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const service = useService();
const folder = mkdtempSync(join(tmpdir(), 'practice-api-go-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** PKCE for releases of oauth2 and Go that lack it. */
const missing = `package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"

	"golang.org/x/oauth2"
)

var background = context.Background()

func generateVerifier() string {
	bytes := make([]byte, 32)
	rand.Read(bytes)
	return base64.RawURLEncoding.EncodeToString(bytes)
}

var s256 = oauth2.SetAuthURLParam("code_challenge_method", "S256")

func s256ChallengeOption(verifier string) oauth2.AuthCodeOption {
	sum := sha256.Sum256([]byte(verifier))
	return oauth2.SetAuthURLParam("code_challenge", base64.RawURLEncoding.EncodeToString(sum[:]))
}

func verifierOption(verifier string) oauth2.AuthCodeOption {
	return oauth2.SetAuthURLParam("code_verifier", verifier)
}
`;

/** Replaces APIs that Debian's older libraries name differently or lack. */
function forDebian(program: string): string {
  return program
    .replaceAll('github.com/coreos/go-oidc/v3/oidc', 'github.com/coreos/go-oidc')
    .replaceAll('oauth2.GenerateVerifier', 'generateVerifier')
    .replaceAll('oauth2.VerifierOption', 'verifierOption')
    .replaceAll('oauth2.S256ChallengeOption', 's256ChallengeOption')
    .replaceAll('oidc.Nonce(nonce), challenge', 'oidc.Nonce(nonce), challenge, s256')
    .replaceAll('t.Context()', 'background');
}

testsWith('go-oidc').test(
  'the guide for Go logs in, calls its API and logs out',
  { timeout: 300_000 },
  async () => {
    const files = savedFiles(readText('docs/oidc/go.md'));
    const { host } = new URL(service.url);
    for (const { name, text } of files) {
      const program = forDebian(text.replaceAll('localhost:3000', host));
      writeFileSync(join(folder, name), program);
    }
    writeFileSync(join(folder, 'missing.go'), missing);
    const settings = files.find(({ name }) => name === 'oidc.json')?.text ?? '';
    const { status } = await service.send('PUT /s/go/api/sandbox/oidc', {
      json: JSON.parse(settings),
    });
    expect(status).toBe(200);
    const go = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') };
    const env = { ...process.env, ...go };
    const { stdout } = await promisify(execFile)('go', ['test', '-v', '.'], { cwd: folder, env });
    expect(stdout).toContain('--- PASS: TestLogin');
  },
);
