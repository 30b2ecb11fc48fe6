/**
 * Validation rules (GraphQL October 2021, section 5), with members for programs and better
 * messages.
 */

import {
  type ASTNode,
  type ASTVisitor,
  ExecutableDefinitionsRule,
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  GraphQLError,
  type GraphQLNamedType,
  isCompositeType,
  isInputType,
  isIntrospectionType,
  isObjectType,
  isRequiredArgument,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  KnownTypeNamesRule,
  LoneAnonymousOperationRule,
  MaxIntrospectionDepthRule,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  PossibleFragmentSpreadsRule,
  ProvidedRequiredArgumentsRule,
  print,
  ScalarLeafsRule,
  type TypeNode,
  UniqueArgumentNamesRule,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  UniqueInputFieldNamesRule,
  UniqueOperationNamesRule,
  UniqueVariableNamesRule,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesAreInputTypesRule,
  VariablesInAllowedPositionRule,
} from 'graphql';
import { type ErrorCode, shorten } from '../outcome/format-error.js';
import { SingleRootFieldRule } from './single-root-field.js';

type Members = Readonly<Record<string, unknown>>;

/** Members for programs, from the first node of the error. */
type MembersOf = (node: ASTNode, context: ValidationContext) => Members;

/** Returns a better message than the rule's. */
type Reword = (message: string, node: ASTNode, context: ValidationContext) => string;

/** The section of the specification, or a function that chooses one. */
type RuleEntry = readonly [
  rule: ValidationRule,
  section: string | ((node: ASTNode, context: ValidationContext) => string),
  members?: MembersOf,
  reword?: Reword,
];

const maxQuotedLength = 200;

/** The limit of MaxIntrospectionDepthRule. */
const maxIntrospectionLists = 2;

const entries: readonly RuleEntry[] = [
  [ExecutableDefinitionsRule, 'Executable-Definitions'],
  [OperationTypeExistsRule, 'Root-Operation-Types'],
  [UniqueOperationNamesRule, 'Operation-Name-Uniqueness', named('operation')],
  [
    LoneAnonymousOperationRule,
    'Lone-Anonymous-Operation',
    () => ({}),
    () => 'An operation without a name must be the only one. Give each operation a different name.',
  ],
  [SingleRootFieldRule, 'Single-root-field', fieldMembers],
  [
    KnownTypeNamesRule,
    (node, context) =>
      isVariableType(node, context)
        ? 'Variables-Are-Input-Types'
        : 'Fragment-Spread-Type-Existence',
    named('type'),
    (message, node, context) => {
      if (message.includes('Did you mean')) return message;
      const isKind = isVariableType(node, context) ? isInputType : isCompositeType;
      return `${message} ${listTypes(isKind, context)}`;
    },
  ],
  [
    FragmentsOnCompositeTypesRule,
    'Fragments-On-Composite-Types',
    (node) => ({ typeCondition: print(node) }),
  ],
  [
    VariablesAreInputTypesRule,
    'Variables-Are-Input-Types',
    (node, context) => {
      const definition = variableDefinitions(context).find(({ type }) => type === node);
      return { variable: definition && nameOf(definition), variableType: print(node) };
    },
    (message, _node, context) => `${message} ${listTypes(isInputType, context)}`,
  ],
  [
    ScalarLeafsRule,
    'Leaf-Field-Selections',
    (node, context) => ({
      declaringType: context.getParentType()?.name,
      field: context.getFieldDef()?.name,
      ...fieldMembers(node),
      type: String(context.getType()),
    }),
  ],
  [
    FieldsOnCorrectTypeRule,
    'Field-Selections',
    (node, context) => ({ type: context.getParentType()?.name, ...fieldMembers(node) }),
    (message, _node, context) => {
      const type = context.getParentType();
      if (message.includes('Did you mean') || !isObjectType(type)) return message;
      return `${message} It has the fields ${Object.keys(type.getFields()).join(', ')}.`;
    },
  ],
  [UniqueFragmentNamesRule, 'Fragment-Name-Uniqueness', named('fragment')],
  [
    KnownFragmentNamesRule,
    'Fragment-spread-target-defined',
    named('fragment'),
    (message, _node, context) => {
      const names = context
        .getDocument()
        .definitions.flatMap((each) =>
          each.kind === Kind.FRAGMENT_DEFINITION ? each.name.value : [],
        );
      const known =
        names.length > 0 ? `its fragments are ${names.join(', ')}` : 'it has no fragments';
      return `${message} The document must define it; ${known}.`;
    },
  ],
  [NoUnusedFragmentsRule, 'Fragments-Must-Be-Used', named('fragment')],
  [PossibleFragmentSpreadsRule, 'Fragment-spread-is-possible', spreadMembers],
  [NoFragmentCyclesRule, 'Fragment-spreads-must-not-form-cycles', named('fragment')],
  [UniqueVariableNamesRule, 'Variable-Uniqueness', named('variable')],
  [
    NoUndefinedVariablesRule,
    'All-Variable-Uses-Defined',
    named('variable'),
    (message, node) =>
      `${message} Declare it after the operation's name, as in ($${nameOf(node)}: Type).`,
  ],
  [NoUnusedVariablesRule, 'All-Variables-Used', variableMembers],
  [
    KnownDirectivesRule,
    (node, context) =>
      directiveOf(node, context) ? 'Directives-Are-In-Valid-Locations' : 'Directives-Are-Defined',
    named('directive'),
    (message, node, context) => {
      const directive = directiveOf(node, context);
      if (directive) return `${message} It can be used on ${directive.locations.join(', ')}.`;
      return `${message} The supported directives are @include(if:) and @skip(if:).`;
    },
  ],
  [UniqueDirectivesPerLocationRule, 'Directives-Are-Unique-Per-Location', named('directive')],
  [
    KnownArgumentNamesRule,
    'Argument-Names',
    argumentMembers,
    (message, _node, context) => {
      const owner = context.getDirective() ?? context.getFieldDef();
      if (message.includes('Did you mean') || !owner) return message;
      const names = owner.args.map(({ name, type }) => `${name}: ${type}`);
      return `${message} It accepts ${names.length > 0 ? names.join(', ') : 'no arguments'}.`;
    },
  ],
  [UniqueArgumentNamesRule, 'Argument-Uniqueness', argumentMembers],
  [
    ValuesOfCorrectTypeRule,
    'Values-of-Correct-Type',
    (node, context) => ({
      ...argumentMembers(undefined, context),
      argumentValue: print(node),
      locationType: String(context.getInputType()),
    }),
    (message, node, context) => {
      const argument = context.getArgument();
      if (!argument) return `The default value of a variable is of the wrong type: ${message}`;
      const value = shorten(print(node), maxQuotedLength);
      return `The value ${value} does not match the type ${argument.type} of the argument "${argument.name}": ${message}`;
    },
  ],
  [ProvidedRequiredArgumentsRule, 'Required-Arguments', requiredMembers],
  [VariablesInAllowedPositionRule, 'All-Variable-Usages-are-Allowed', variableMembers],
  [UniqueInputFieldNamesRule, 'Input-Object-Field-Uniqueness', named('field')],
  [
    MaxIntrospectionDepthRule,
    'Introspection',
    (node) => ({
      code: 'LIMIT_EXCEEDED' satisfies ErrorCode,
      limit: 'introspection',
      maximum: maxIntrospectionLists,
      ...fieldMembers(node),
    }),
    () =>
      `The introspection nests lists of fields, interfaces, possible types or input fields too deep; the limit is ${maxIntrospectionLists}.`,
  ],
];

const introspectionOffEntry: RuleEntry = [
  NoIntrospectionRule,
  'Introspection',
  (node) => ({ code: 'INTROSPECTION_DISABLED' satisfies ErrorCode, ...fieldMembers(node) }),
];

/** Returns all rules but Field Selection Merging, which findMergeConflicts checks. */
export function validationRules(introspection: boolean): readonly ValidationRule[] {
  return (introspection ? entries : [introspectionOffEntry, ...entries]).map(annotate);
}

/** Makes a rule report its errors in our words and with our members. */
function annotate([rule, section, members, reword]: RuleEntry): ValidationRule {
  return (context) => {
    const report = ({ message, nodes }: GraphQLError) => {
      const node = nodes?.[0] ?? context.getDocument();
      const extensions = {
        ...members?.(node, context),
        specifiedBy: specifiedBy(typeof section === 'string' ? section : section(node, context)),
      };
      const worded = reword?.(message, node, context) ?? message;
      context.reportError(new GraphQLError(worded, { nodes: nodes ?? null, extensions }));
    };
    return rule(Object.create(context, { reportError: { value: report } }));
  };
}

/** Returns the URL of a section of the specification. */
export function specifiedBy(section: string): string {
  return `https://spec.graphql.org/October2021/#sec-${section}`;
}

function OperationTypeExistsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(node) {
      if (context.getSchema().getRootType(node.operation)) return;
      const message = `${node.operation}s are not supported; an operation must be a query or a mutation.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

function NoIntrospectionRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      const name = node.name.value;
      if (name !== '__schema' && name !== '__type') return;
      const message = `Introspection is disabled, so "${name}" cannot be selected; "__typename" can.`;
      context.reportError(new GraphQLError(message, { nodes: node }));
    },
  };
}

/** Returns the name of the node under this member. */
function named(member: string): (node: ASTNode) => Members {
  return (node) => ({ [member]: nameOf(node) });
}

function nameOf(node: ASTNode): string | undefined {
  if (node.kind === Kind.NAME) return node.value;
  if (node.kind === Kind.VARIABLE_DEFINITION) return node.variable.name.value;
  return 'name' in node ? node.name?.value : undefined;
}

function directiveOf(node: ASTNode, context: ValidationContext) {
  return context.getSchema().getDirective(nameOf(node) ?? '');
}

function fieldMembers(node: ASTNode): Members {
  if (node.kind !== Kind.FIELD) return {};
  return { field: node.name.value, responseName: (node.alias ?? node.name).value };
}

function argumentMembers(node: ASTNode | undefined, context: ValidationContext): Members {
  const directive = context.getDirective();
  const field = context.getFieldDef();
  const owner = directive
    ? { directive: directive.name }
    : field && { type: context.getParentType()?.name, field: field.name };
  const argument = (node && nameOf(node)) ?? context.getArgument()?.name;
  return { ...owner, ...(argument !== undefined && { argument }) };
}

function spreadMembers(node: ASTNode, context: ValidationContext): Members {
  const isSpread = node.kind === Kind.FRAGMENT_SPREAD;
  const fragment = isSpread ? context.getFragment(node.name.value) : node;
  const condition = fragment && 'typeCondition' in fragment && fragment.typeCondition;
  return {
    ...(isSpread && { fragment: nameOf(node) }),
    typeCondition: condition ? condition.name.value : undefined,
    selectionSetType: context.getParentType()?.name,
  };
}

function requiredMembers(node: ASTNode, context: ValidationContext): Members {
  const isDirective = node.kind === Kind.DIRECTIVE;
  const owner = isDirective ? context.getDirective() : context.getFieldDef();
  const given = isDirective || node.kind === Kind.FIELD ? (node.arguments ?? []) : [];
  const names = new Set(given.map(({ name }) => name.value));
  const missing = owner?.args.find((each) => isRequiredArgument(each) && !names.has(each.name));
  return {
    ...(isDirective
      ? { directive: nameOf(node) }
      : { type: context.getParentType()?.name, ...fieldMembers(node) }),
    argument: missing?.name,
  };
}

function variableMembers(node: ASTNode, context: ValidationContext): Members {
  const isDefinition = node.kind === Kind.VARIABLE_DEFINITION;
  const name = nameOf(node);
  const definition = isDefinition
    ? node
    : variableDefinitions(context).find(({ variable }) => variable.name.value === name);
  const type = isDefinition ? undefined : context.getInputType();
  return {
    variable: name,
    ...(definition && { variableType: print(definition.type) }),
    ...(type && { locationType: String(type) }),
  };
}

function isVariableType(node: ASTNode, context: ValidationContext): boolean {
  return variableDefinitions(context).some(({ type }) => innermost(type) === node);
}

function variableDefinitions(context: ValidationContext) {
  return context
    .getDocument()
    .definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
    );
}

function innermost(type: TypeNode): TypeNode {
  return type.kind === Kind.NAMED_TYPE ? type : innermost(type.type);
}

/** Lists the possible types, without introspection types. */
function listTypes(isKind: (type: GraphQLNamedType) => boolean, context: ValidationContext) {
  const names = Object.values(context.getSchema().getTypeMap())
    .filter((type) => isKind(type) && !isIntrospectionType(type))
    .map(({ name }) => name);
  return `Possible types are ${names.sort().join(', ')}.`;
}
