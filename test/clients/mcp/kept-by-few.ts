/** Rules that fewer than two real clients keep here, and why. Scripted clients keep them in test/mcp. */

interface Few {
  readonly by: readonly string[];
  readonly why: string;
}

const only = (why: string): Few => ({ by: ['client-2'], why });
const none = (why: string): Few => ({ by: [], why });

export const keptByFew: Readonly<Record<string, Few>> = {
  'argument-headers': only('mcp-remote breaks it; the others know no revision with these headers.'),
  'list-cached-while-fresh': only('No other client keeps lists.'),
  'private-list-not-shared': only('No other client lists tools in 2026-07-28 with a token.'),
  'no-fallback-after-version-error': only(
    'The others begin with initialize; mcp-remote ends after the error.',
  ),
  'step-up-keeps-scopes': only('It is about 2026-07-28; no other client logs in there.'),
  'poll-interval': none('No client on this Node has tasks of 2026-07-28.'),
  'token-only-to-its-server': none('Libraries leave icons to hosts, and request none.'),
};
