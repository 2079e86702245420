import { patternsInputError } from './codes.ts'

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
 * @param option - the name of the option
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkKeyTemplate(key: unknown, place: string, option = 'rowKey'): void {
  if (hasAll(key, ['segments', 'properties'])) return
  throw invalid(`${option} of ${place}`, `a template such as key\`title_\${'title'}\``, key)
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
 * Checks an argument that is an array or another object.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkObject(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null) throw invalid(place, 'an array or object', value)
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
 * Checks what a function of a declaration returned.
 *
 * @param value - the result
 * @param place - the function, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkList(value: unknown, place: string): void {
  if (!Array.isArray(value)) throw invalid(`The result of ${place}`, 'an array', value)
}

/** A queue in a table prints times with 15 digits. */
const LONGEST = 3_155_760_000_000

/**
 * Checks a duration.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkMilliseconds(value: unknown, place: string): void {
  if (typeof value === 'number' && value >= 0 && value <= LONGEST) return
  throw invalid(place, `a number of milliseconds from 0 to ${LONGEST} (100 years)`, value)
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

/**
 * Checks an argument whose methods are called.
 *
 * @param value - the argument
 * @param place - the function, for the message
 * @param rule - what it needs, for the message
 * @param names - the methods
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkMethods(
  value: unknown,
  place: string,
  rule: string,
  names: readonly PropertyKey[],
): void {
  const members: Readonly<Record<PropertyKey, unknown>> = Object(value)
  if (names.every((name) => typeof members[name] === 'function')) return
  throw invalid(place, `${rule}, with ${names.map(String).join(', ')}`, value)
}

/**
 * Checks a time.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkTime(value: unknown, place: string): void {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return
  throw invalid(place, 'a valid Date', value)
}

/**
 * Checks a large value.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkBytes(value: unknown, place: string): void {
  if (!(value instanceof Uint8Array)) throw invalid(place, 'a Uint8Array', value)
}

/**
 * Checks the result of a function that adds conditions to a query.
 *
 * @param query - the result
 * @param place - the function, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkQuery(query: unknown, place: string): void {
  if (hasAll(query, ['where', 'toArray'])) return
  throw invalid(place, 'a function that returns its query', query)
}

/**
 * Checks a text that must not be empty.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkName(value: unknown, place: string): void {
  if (typeof value !== 'string' || value === '') throw invalid(place, 'a text, not empty', value)
}

/**
 * Checks an option that may be absent.
 *
 * @param value - the option
 * @param check - checks it when it is there
 * @param place - its name, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkOptional(
  value: unknown,
  check: (value: unknown, place: string) => void,
  place: string,
): void {
  if (value !== undefined) check(value, place)
}

/**
 * Checks a value with a text for each of some members.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @param rule - what it needs, for the message
 * @param names - the members
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkTexts(
  value: unknown,
  place: string,
  rule: string,
  names: readonly string[],
): void {
  const members: Readonly<Record<string, unknown>> = Object(value)
  if (names.every((name) => typeof members[name] === 'string')) return
  throw invalid(place, `${rule}, with ${names.join(', ')}`, value)
}

/**
 * Checks a signal.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkSignal(value: unknown, place: string): void {
  if (hasAll(value, ['aborted', 'addEventListener'])) return
  throw invalid(place, 'an AbortSignal', value)
}

function hasAll(value: unknown, names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => name in value)
}

function invalid(place: string, rule: string, value: unknown): Error {
  return patternsInputError({
    code: 'InvalidPatternOption',
    message: `${place} needs ${rule}; got ${shown(value)}.`,
  })
}

/** Shows a number, and only the kind of anything else: a text may be secret. */
function shown(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value)
  return Array.isArray(value) ? 'an array' : typeof value
}
