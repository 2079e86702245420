import { aFunction, brokenRule, type Rule, rule, withMethods } from '@rowkey/odata'
import { invalidPatternOption } from './codes.ts'
import {
  aDuration,
  aKeyText,
  aModel,
  aName,
  anAccount,
  anArray,
  anEntity,
  anObject,
  aQuery,
  aRecord,
  aSignal,
  aText,
  aTime,
  bytes,
} from './rules.ts'

/**
 * Checks an argument.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @throws InputError (`InvalidPatternOption`)
 */
type Check = (value: unknown, place: string) => void

function checkOf(rule: Rule): Check {
  return (value, place) => {
    if (!rule.accepts(value)) throw invalidPatternOption(brokenRule(value, rule, place))
  }
}

/** Checks the model that a pattern is declared for. */
export const checkModel: Check = checkOf(aModel)

/** Checks the account of a call. */
export const checkAccount: Check = checkOf(anAccount)

/** Checks an argument that has a member for each name. */
export const checkRecord: Check = checkOf(aRecord)

/** Checks a text that keeps rows apart. */
export const checkText: Check = checkOf(aText)

/** Checks a text that must not be empty. */
export const checkName: Check = checkOf(aName)

/** Checks a text that is a part of keys. */
export const checkKeyText: Check = checkOf(aKeyText)

/** Checks an argument with the properties of an entity or of a key. */
export const checkEntity: Check = checkOf(anEntity)

/** Checks an argument that is an array or another object. */
export const checkObject: Check = checkOf(anObject)

/** Checks an argument that is called. */
export const checkFunction: Check = checkOf(aFunction)

/** Checks a duration. */
export const checkMilliseconds: Check = checkOf(aDuration)

/** Checks a time. */
export const checkTime: Check = checkOf(aTime)

/** Checks a large value. */
export const checkBytes: Check = checkOf(bytes)

/** Checks the result of a function that adds conditions to a query. */
export const checkQuery: Check = checkOf(aQuery)

/** Checks a signal. */
export const checkSignal: Check = checkOf(aSignal)

/** Checks what a function of a declaration returned. */
export const checkList: Check = checkOf(anArray)

/**
 * Checks an argument whose methods are called.
 *
 * @param value - the argument
 * @param place - the function, for the message
 * @param text - what it needs, for the message
 * @param methods - the methods
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkMethods(
  value: unknown,
  place: string,
  text: string,
  methods: readonly string[],
): void {
  checkOf(withMethods(`${text}, with ${methods.join(', ')}`, ...methods))(value, place)
}

/**
 * Checks a value with a text for each of some members.
 *
 * @param value - the argument
 * @param place - what it is, for the message
 * @param text - what it needs, for the message
 * @param members - the members
 * @throws InputError (`InvalidPatternOption`)
 */
export function checkTexts(
  value: unknown,
  place: string,
  text: string,
  members: readonly string[],
): void {
  const areTexts = (object: object) =>
    members.every((name) => typeof Reflect.get(object, name) === 'string')
  checkOf(rule(`${text}, with ${members.join(', ')}`, (given) => areTexts(Object(given))))(
    value,
    place,
  )
}
