/** The inputs of parameters and of a body. */

import { forbiddenHeaders } from '../shared/curl/browser-limits.js';
import { element } from '../shared/element.js';
import type { Description } from './description.js';
import type { BodyForm, Field } from './form/form-of.js';
import { withCode } from './inline-code.js';
import { schemaView } from './schema-view.js';

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

interface FieldsView {
  /** Parameters that most requests need. */
  readonly main: readonly HTMLElement[];
  /** The others, each group in one line until it is opened. */
  readonly folded: readonly HTMLElement[];
  readonly textOf: (field: Field) => string;
}

export function fieldsView(fields: readonly Field[]): FieldsView {
  const inputs = new Map<Field, Input>(fields.map((field) => [field, inputOf(field)]));
  const rows = (group: Field['group']) =>
    fields.filter((each) => each.group === group).map((field) => rowOf(field, inputs.get(field)));
  const main = rows('main');
  const more = rows('more');
  const filters = rows('filter');
  const common = rows('common');
  const namesOf = (of: Field['group']) =>
    fields.flatMap(({ group, name }) => (group === of ? [name] : [])).join(', ');
  return {
    main: main.length > 0 ? [groupOf('Parameters', main)] : [],
    folded: [
      ...(more.length > 0
        ? [foldOf([`${more.length} more parameters `, element('small', {}, namesOf('more'))], more)]
        : []),
      ...(filters.length > 0 ? [foldOf([`${filters.length} filters`], filters)] : []),
      foldOf(['Common parameters ', element('small', {}, namesOf('common'))], common),
    ],
    textOf: (field) => inputs.get(field)?.value ?? '',
  };
}

function groupOf(title: string, rows: readonly HTMLElement[]): HTMLElement {
  return element('fieldset', {}, element('legend', {}, title), ...rows);
}

function foldOf(title: readonly (Node | string)[], rows: readonly HTMLElement[]): HTMLElement {
  return element('details', { class: 'fold' }, element('summary', {}, ...title), ...rows);
}

function inputOf(field: Field): Input {
  const { name, isRequired, isList, isFile, choices, value } = field;
  const attributes = { 'data-name': name, required: isRequired, spellcheck: 'false' };
  if (isFile && value === '')
    return element('input', { ...attributes, type: 'file', multiple: isList });
  if (choices.length > 0 && !isList) {
    const empty = isRequired ? [] : [element('option', { value: '' }, 'not sent')];
    const options = choices.map((each) => element('option', { value: each }, each));
    const select = element('select', attributes, ...empty, ...options);
    select.value = value === '' && isRequired ? (choices[0] ?? '') : value;
    return select;
  }
  if (isList) {
    const area = element('textarea', {
      ...attributes,
      rows: Math.max(1, value.split('\n').length),
    });
    area.value = value;
    return area;
  }
  const input = element('input', { ...attributes, type: 'text', autocomplete: 'off' });
  input.value = value;
  if (field.isOpen) input.placeholder = 'name=value&name=value';
  return input;
}

function rowOf(field: Field, input: Input | undefined): HTMLElement {
  const { name, place, isRequired, type, description, isList } = field;
  const isSetByBrowser = place === 'header' && forbiddenHeaders.test(name);
  const notes = [
    isList ? 'One value per line.' : '',
    isSetByBrowser ? 'Browsers set this header themselves: use curl to send it.' : '',
  ];
  const says = [description, ...notes].filter(Boolean).join(' ');
  const kind = [isRequired ? 'required' : '', place === 'form' ? '' : place, type];
  return element(
    'label',
    { class: 'field' },
    element('b', {}, name),
    element('small', {}, kind.filter(Boolean).join(' · ')),
    ...(input === undefined ? [] : [input]),
    ...(says === '' ? [] : [element('span', { class: 'says' }, ...withCode(says))]),
  );
}

interface BodyView {
  readonly parts: readonly HTMLElement[];
  readonly textOf: (field: Field) => string;
  readonly filesOf: (field: Field) => readonly File[];
  /** The body of the chosen type. */
  readonly entered: () => { body?: { form: BodyForm; text: string; file?: File } };
}

export function bodyView(description: Description, bodies: readonly BodyForm[]): BodyView {
  const inputs = new Map<Field, Input>();
  const texts = new Map<BodyForm, { area: HTMLTextAreaElement; file?: HTMLInputElement }>();
  const partOf = (form: BodyForm): HTMLElement => {
    if (form.fields !== undefined) {
      for (const field of form.fields) inputs.set(field, inputOf(field));
      return element('div', {}, ...form.fields.map((field) => rowOf(field, inputs.get(field))));
    }
    const lines = form.text.split('\n').length;
    const area = element('textarea', {
      class: 'body',
      'aria-label': 'Body',
      'data-name': 'body',
      spellcheck: 'false',
      rows: Math.min(16, Math.max(3, lines)),
    });
    area.value = form.text;
    const isBinary = /octet-stream/.test(form.type);
    const file = isBinary ? element('input', { type: 'file', 'aria-label': 'File' }) : undefined;
    texts.set(form, { area, ...(file && { file }) });
    return element(
      'div',
      {},
      area,
      ...(file ? [file] : []),
      ...schemaView(description, form.schema),
    );
  };
  const parts = new Map(bodies.map((form) => [form, partOf(form)]));
  const [first] = bodies;
  const options = bodies.map(({ type }) => element('option', {}, type));
  const select = element('select', { 'aria-label': 'Media type of the body' }, ...options);
  const chosen = () => bodies[select.selectedIndex] ?? first;
  const preferred = bodies.findIndex(
    ({ text, fields }) => text !== '' || fields?.some((each) => each.value),
  );
  if (preferred > 0) select.selectedIndex = preferred;
  const show = () => {
    for (const [form, part] of parts) part.hidden = form !== chosen();
  };
  select.addEventListener('change', show);
  show();
  const legend = element('legend', {}, 'Body ');
  const type = bodies.length > 1 ? select : element('small', {}, first?.type ?? '');
  return {
    parts: first === undefined ? [] : [element('fieldset', {}, legend, type, ...parts.values())],
    textOf: (field) =>
      field.isFile && inputs.get(field)?.matches('[type=file]')
        ? ''
        : (inputs.get(field)?.value ?? ''),
    filesOf: (field) => filesIn(inputs.get(field)),
    entered() {
      const form = chosen();
      if (form === undefined) return {};
      const { area, file } = texts.get(form) ?? {};
      const [chosenFile] = filesIn(file);
      return { body: { form, text: area?.value ?? '', ...(chosenFile && { file: chosenFile }) } };
    },
  };
}

function filesIn(input: Input | undefined): readonly File[] {
  return input instanceof HTMLInputElement ? [...(input.files ?? [])] : [];
}
