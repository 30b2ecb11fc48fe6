/** An open operation: its form, Send, the response, and what is documented. */

import { addressOf } from '../shared/address-of.js';
import { element } from '../shared/element.js';
import { responseLine, responseText } from '../shared/response-view.js';
import { showAsCode } from './as-code.js';
import { credentialsView } from './credentials-view.js';
import type { Description, ListedOperation } from './description.js';
import { documentedResponses } from './documented-responses.js';
import { bodyView, fieldsView } from './fields-view.js';
import { formOf } from './form/form-of.js';
import { type MadeRequest, requestOf } from './form/request-of.js';
import { withCode } from './inline-code.js';
import { sendOperation } from './send-operation.js';

export function showOperation(
  place: HTMLElement,
  description: Description,
  operation: ListedOperation,
): void {
  const form = formOf(description, operation);
  const { externalDocs: guide } = operation;
  const fields = fieldsView(form.fields);
  const body = bodyView(description, form.bodies);
  const credentials = credentialsView(description, operation);
  const method = methodView(form.methods);
  const output = element('div', { class: 'output', 'aria-live': 'polite' });
  const notice = element('p', { class: 'notice', role: 'status', hidden: true });
  const made = () =>
    requestOf(form, {
      method: method.value(),
      textOf: (field) => (field.place === 'form' ? body : fields).textOf(field),
      filesOf: body.filesOf,
      ...body.entered(),
      credentials: credentials.chosen(),
    });
  const send = async () => {
    const outcome = made();
    notice.hidden = 'request' in outcome;
    if ('missing' in outcome) {
      notice.textContent = `Enter ${outcome.missing.join(' and ')} first.`;
      const [name] = outcome.missing;
      const input = written.querySelector<HTMLElement>(`[data-name="${CSS.escape(name ?? '')}"]`);
      input?.closest('details')?.setAttribute('open', '');
      input?.focus();
      return;
    }
    await execute(outcome.request, output);
  };
  const written = element(
    'form',
    { class: 'entry', novalidate: true },
    element(
      'p',
      { class: 'act' },
      element('button', { class: 'execute' }, 'Send'),
      ...method.parts,
      showAsCode(output, () => {
        const outcome = made();
        return 'request' in outcome ? outcome.request : undefined;
      }),
      ...(guide ? [element('a', { href: guide.url }, 'Guide')] : []),
    ),
    notice,
    ...credentials.parts,
    ...fields.main,
    ...body.parts,
    ...fields.folded,
  );
  written.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  const { description: text } = operation;
  const about = element(
    'div',
    { class: 'about' },
    ...(form.firstStep ? [element('p', { class: 'step' }, ...withCode(form.firstStep))] : []),
    ...(text ? [element('p', {}, ...withCode(text))] : []),
  );
  place.replaceChildren(
    about,
    element('div', { class: 'sides' }, written, element('div', { class: 'side' }, output)),
    documentedResponses(description, operation),
  );
  output.append(
    element('p', { class: 'quiet' }, 'Send sends the request, and its response appears here.'),
  );
}

/** A choice for endpoints that accept any method. */
function methodView(methods: readonly string[]) {
  const [only = 'GET'] = methods;
  if (methods.length === 1) return { value: () => only, parts: [] };
  const options = methods.map((each) => element('option', {}, each));
  const select = element('select', { 'aria-label': 'Method' }, ...options);
  return { value: () => select.value, parts: [select] };
}

const latest = new WeakMap<HTMLElement, number>();

async function execute(request: MadeRequest, output: HTMLElement): Promise<void> {
  const mine = (latest.get(output) ?? 0) + 1;
  latest.set(output, mine);
  output.classList.add('is-waiting');
  const shown = await responseOf(request);
  // Ignores a response to an earlier request.
  if (latest.get(output) !== mine) return;
  output.classList.remove('is-waiting');
  output.replaceChildren(...shown);
  bringIntoView(output);
}

/** Scrolls to a response below the window, as in narrow windows, where it is under the form. */
function bringIntoView(output: HTMLElement): void {
  const { top } = output.getBoundingClientRect();
  if (top >= 0 && top < window.innerHeight * 0.6) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  output.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
}

async function responseOf(request: MadeRequest): Promise<(Node | string)[]> {
  const line = element('p', { class: 'sent' }, `${request.method} ${request.path}`);
  try {
    const response = await sendOperation(request);
    const isImage = response.contentType.startsWith('image/') && request.method === 'GET';
    const code = element(
      'code',
      {},
      ...responseText(isImage ? { ...response, text: '' } : response),
    );
    return [
      line,
      responseLine(response),
      element('pre', { tabindex: 0, role: 'group', 'aria-label': 'Response' }, code),
      ...(isImage ? [element('img', { src: addressOf(request.path), alt: 'The image' })] : []),
      ...(response.isCut
        ? [element('p', { class: 'quiet' }, 'The rest of the body is not shown.')]
        : []),
    ];
  } catch (error) {
    const text = error instanceof TypeError ? 'There was no response.' : String(error);
    return [line, element('p', { class: 'quiet' }, text)];
  }
}
