import { describeKind } from '../errors/describe-kind.ts'
import { invalidOption } from '../errors/invalid-option.ts'

/** What the value of an option or of an argument must be. */
export interface Rule {
  /** The end of the sentence "delay of linearRetry must be …". */
  readonly text: string
  /** Tells whether a value obeys the rule. An absent value is never asked about. */
  readonly accepts: (value: unknown) => boolean
  /** Whether the option must be there. */
  readonly isRequired: boolean
  /** Whether messages show a text that breaks the rule: never where it may be a secret. */
  readonly showsText: boolean
}

/**
 * Makes a rule.
 *
 * @param text - the end of the sentence "delay of linearRetry must be …"
 * @param accepts - tells whether a value obeys the rule
 *
 * @example
 * ```ts
 * const share = rule('a number from 0 to 1', (value) => Number(value) >= 0 && Number(value) <= 1)
 * ```
 */
export function rule(text: string, accepts: (value: unknown) => boolean): Rule {
  return { text, accepts, isRequired: false, showsText: false }
}

/** Any value: something else checks it. */
export const anything: Rule = rule('anything', () => true)

/** `true` or `false`. */
export const trueOrFalse: Rule = rule('true or false', (value) => typeof value === 'boolean')

/** A function. */
export const aFunction: Rule = rule('a function', (value) => typeof value === 'function')

/** The longest wait of a timer, in milliseconds. */
const LARGEST = 2 ** 31 - 1

/**
 * Makes the rule of a number of milliseconds or of things.
 *
 * @param least - the smallest valid number
 * @param most - the largest valid number: by default the longest wait of a timer
 */
export function wholeNumber(least = 1, most: number = LARGEST): Rule {
  const isWithin = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most
  return rule(`a whole number from ${least} to ${most}`, isWithin)
}

/** A number of milliseconds, 0 or more. */
export const milliseconds: Rule = rule(
  'a number of milliseconds, 0 or more',
  (value) => Number.isFinite(value) && Number(value) >= 0,
)

/**
 * Makes the rule of a choice.
 *
 * @param choices - the valid values
 */
export function oneOf(...choices: readonly (string | boolean)[]): Rule {
  const texts = choices.map((choice) => (typeof choice === 'string' ? `'${choice}'` : `${choice}`))
  const last = texts.at(-1)
  const text = texts.length < 2 ? `${last}` : `${texts.slice(0, -1).join(', ')} or ${last}`
  return showingText(rule(text, (value) => (choices as readonly unknown[]).includes(value)))
}

/**
 * Makes the rule of an object whose methods are called.
 *
 * @param text - what it is, and how to get one
 * @param methods - the methods
 */
export function withMethods(text: string, ...methods: readonly string[]): Rule {
  return rule(text, (value) => {
    const members = value as Readonly<Record<string, unknown>> | null | undefined
    for (const method of methods) if (typeof members?.[method] !== 'function') return false
    return true
  })
}

/**
 * Makes the rule of an option that must be there.
 *
 * @param optional - what it must be
 */
export function required(optional: Rule): Rule {
  return { ...optional, isRequired: true }
}

/**
 * Makes a rule whose messages show a text that breaks it.
 *
 * @param silent - what it must be; the value is never a secret
 */
export function showingText(silent: Rule): Rule {
  return { ...silent, showsText: true }
}

/** Makes the error of an invalid value from a message and the name of the option. */
export type Reject = (message: string, option?: string) => Error

/**
 * Checks one argument.
 *
 * @param value - the argument
 * @param rule - what it must be
 * @param name - its name
 * @param where - the function or class, for the message
 * @param reject - makes the error, for a caller with a code of its own
 * @returns the argument
 * @throws `InputError` (`InvalidOptionValue`)
 *
 * @example
 * ```ts
 * checkValue(1.5, wholeNumber(), 'seed', 'seededRandom')
 * // InputError: seed of seededRandom must be a whole number from 1 to 2147483647; got 1.5.
 * ```
 */
export function checkValue<Value>(
  value: Value,
  rule: Rule,
  name: string,
  where: string,
  reject: Reject = invalidOption,
): Value {
  if (rule.accepts(value)) return value
  throw reject(brokenRule(value, rule, `${name} of ${where}`), name)
}

/** Prints that a value breaks a rule: the thing, the rule and the value. */
export function brokenRule(value: unknown, rule: Rule, place: string): string {
  return `${place} must be ${rule.text}; got ${shown(value, rule)}.`
}

/** Prints a value, and only the kind of one that may be secret. */
function shown(value: unknown, { showsText }: Rule): string {
  if (value === null || ['undefined', 'number', 'bigint', 'boolean'].includes(typeof value)) {
    return String(value)
  }
  if (typeof value === 'string') return showsText ? JSON.stringify(value) : 'a text'
  return describeKind(value)
}
