import { patternsInputError } from './codes.ts'

/** The options of every call of a pattern that reads. */
export const CALL_OPTIONS: readonly string[] = [
  'signal',
  'timeout',
  'retry',
  'context',
  'deadline',
  'locationMode',
]

/**
 * Checks the model that a pattern is declared for.
 *
 * @param model - the argument
 * @param place - the function, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkModel(model: unknown, place: string): void {
  if (hasAll(model, ['partitionKey', 'rowKey', 'columns'])) return
  throw invalid(place, 'a model from defineEntity', model)
}

/**
 * Checks the account of a call.
 *
 * @param account - the argument
 * @param place - the call, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkAccount(account: unknown, place: string): void {
  if (hasAll(account, ['service', 'table'])) return
  throw invalid(place, 'an account, from connect or new Account', account)
}

/**
 * Checks the key template of a definition.
 *
 * @param key - the option
 * @param place - the definition, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkKeyTemplate(key: unknown, place: string): void {
  if (hasAll(key, ['segments', 'properties'])) return
  throw invalid(`rowKey of ${place}`, `a template such as key\`title_\${'title'}\``, key)
}

/**
 * Checks an argument that has a member for each name.
 *
 * @param value - the argument
 * @param place - the function, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkRecord(value: unknown, place: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw invalid(place, 'an object with a member for each name', value)
}

/**
 * Checks a text that keeps rows apart.
 *
 * @param value - the option
 * @param place - its name, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkText(value: unknown, place: string): void {
  if (typeof value !== 'string') throw invalid(place, 'a string', value)
}

/**
 * Checks an argument with the properties of an entity or of a key.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkEntity(value: unknown, place: string): void {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw invalid(place, 'an object with the properties of the entity or key', value)
}

/**
 * Checks an argument that is called.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkFunction(value: unknown, place: string): void {
  if (typeof value !== 'function') throw invalid(place, 'a function', value)
}

/**
 * Checks a list of names.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkNames(value: unknown, place: string): void {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return
  throw invalid(place, 'an array of names', value)
}

function hasAll(value: unknown, names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => name in value)
}

function invalid(place: string, rule: string, value: unknown): Error {
  const got = value === null || Array.isArray(value) ? String(value) || 'an array' : typeof value
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `${place} needs ${rule}; got ${got}.`,
  })
}
