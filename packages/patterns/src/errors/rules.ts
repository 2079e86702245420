import { forbiddenInKeys, type Rule, rule, withMethods } from '@rowkey/odata'

/** A text, maybe empty. */
export const aText: Rule = rule('a text', (value) => typeof value === 'string')

/** A part of a key. */
export const aKeyText: Rule = rule(
  'a text without / \\ # ? and control characters, which keys cannot have',
  (value) => typeof value === 'string' && !forbiddenInKeys.test(value),
)

/** A text that names something. */
export const aName: Rule = rule(
  'a text, not empty',
  (value) => typeof value === 'string' && value !== '',
)

/** The name of something that is derived: a part of the RowKeys of its rows. */
export const aDefinitionName: Rule = rule(
  '1 to 100 letters, digits, - and _',
  (value) => typeof value === 'string' && /^[\w-]{1,100}$/.test(value),
)

/** A list of names. */
export const names: Rule = rule(
  'an array of names',
  (value) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
)

/** An object with a member for each name. */
export const aRecord: Rule = rule('an object with a member for each name', isRecord)

/** A key template. */
export const aTemplate: Rule = rule(
  `a template such as key\`title_\${'title'}\``,
  hasMembers('segments', 'properties'),
)

/** A number of things. */
export const aCount: Rule = rule(
  'a whole number from 1',
  (value) => Number.isSafeInteger(value) && Number(value) >= 1,
)

/** The longest duration, in milliseconds. A queue in a table prints times with 15 digits. */
export const LONGEST = 3_155_760_000_000

/** A duration. */
export const aDuration: Rule = rule(
  `a number of milliseconds from 0 to ${LONGEST} (100 years)`,
  (value) => typeof value === 'number' && value >= 0 && value <= LONGEST,
)

/** A model. */
export const aModel: Rule = rule(
  'a model from defineEntity, or modelOf(…) of a class',
  hasMembers('partitionKey', 'rowKey', 'columns'),
)

/** An account. */
export const anAccount: Rule = rule(
  'an account, from connect or new Account',
  hasMembers('service', 'table'),
)

/** An entity, or the properties of a key. */
export const anEntity: Rule = rule('an object with the properties of the entity or key', isRecord)

/** An array or another object. */
export const anObject: Rule = rule(
  'an array or object',
  (value) => typeof value === 'object' && value !== null,
)

/** An array. */
export const anArray: Rule = rule('an array', Array.isArray)

/** A time. */
export const aTime: Rule = rule(
  'a valid Date',
  (value) => value instanceof Date && !Number.isNaN(value.getTime()),
)

/** The token of a page. */
export const aToken: Rule = rule(
  'the next of a page, or null',
  (value) => value === null || typeof value === 'string',
)

/** Bytes. */
export const someBytes: Rule = rule('a Uint8Array', (value) => value instanceof Uint8Array)

/** What a function that adds conditions to a query returns. */
export const aQuery: Rule = rule(
  'a function that returns its query',
  hasMembers('where', 'toArray'),
)

/** A signal. */
export const aSignal: Rule = rule('an AbortSignal', hasMembers('aborted', 'addEventListener'))

/** An object whose methods are called; the message names them. */
export function aThingWith(text: string, ...methods: readonly string[]): Rule {
  return withMethods(`${text}, with ${methods.join(', ')}`, ...methods)
}

/** An object with a text for each of some members, which the message names. */
export function aThingOfTexts(text: string, ...members: readonly string[]): Rule {
  return rule(`${text}, with ${members.join(', ')}`, (value) =>
    members.every((name) => typeof Object(value)[name] === 'string'),
  )
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasMembers(...names: readonly string[]): (value: unknown) => boolean {
  return (value) =>
    typeof value === 'object' && value !== null && names.every((name) => name in value)
}
