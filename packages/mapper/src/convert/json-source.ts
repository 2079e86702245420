/** The place of one value in a JSON text, and the values in it. */
export interface JsonSource {
  readonly start: number
  /** The place after its last character. */
  readonly end: number
  /** The members of an object: each name with its values in the order of the text. A name may occur twice. */
  readonly members?: ReadonlyMap<string, readonly JsonSource[]>
  /** The elements of an array. */
  readonly elements?: readonly JsonSource[]
}

/** A number of a JSON text, in its spelling there. */
interface JsonNumber {
  readonly start: number
  readonly text: string
  /** The number that `JSON.parse` makes of it. */
  readonly value: number
}

/** A JSON text with the places of its values. */
export interface JsonDocument {
  readonly text: string
  readonly root: JsonSource
  /** Every number in the text, in its order. */
  readonly numbers: readonly JsonNumber[]
}

/** An object or array whose end has not been reached. */
interface Open {
  readonly start: number
  end: number
  readonly members?: Map<string, JsonSource[]>
  readonly elements?: JsonSource[]
  /** The name whose value comes next. */
  name?: string | undefined
}

/** The tokens of valid JSON, except commas and colons. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s:,[\]{}"]+/g
const NUMBER = /^[-\d]/

/**
 * Finds every value and every number in a JSON text.
 *
 * @param text - text that `JSON.parse` accepts
 */
export function readJsonSource(text: string): JsonDocument {
  const numbers: JsonNumber[] = []
  const top: Open = { start: 0, end: 0, elements: [] }
  const open = [top]
  for (const { 0: token, index: start } of text.matchAll(TOKEN)) {
    const end = start + token.length
    const parent = open.at(-1) as Open // the text is valid: every closing bracket has its opening one
    if (token === '}' || token === ']') {
      parent.end = end
      open.pop()
    } else if (token === '{' || token === '[') {
      const part = token === '{' ? { members: new Map<string, JsonSource[]>() } : { elements: [] }
      const container: Open = { start, end, ...part }
      add(parent, container)
      open.push(container)
    } else if (parent.members !== undefined && parent.name === undefined) {
      parent.name = JSON.parse(token) as string
    } else {
      if (NUMBER.test(token)) numbers.push({ start, text: token, value: Number(token) })
      add(parent, { start, end })
    }
  }
  return { text, root: top.elements?.[0] as JsonSource, numbers }
}

function add(parent: Open, value: JsonSource): void {
  parent.elements?.push(value)
  if (parent.members === undefined || parent.name === undefined) return
  const values = parent.members.get(parent.name)
  if (values === undefined) parent.members.set(parent.name, [value])
  else values.push(value)
  parent.name = undefined
}

/** The digits that identify every Double; a longer number has more digits than a Double can hold. */
const DOUBLE_DIGITS = 17

/** A decimal number: its digits without zeros at either end, and the power of ten of the last one. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

/**
 * Returns whether a number of JSON survives being read as a Double and written again. It does when the
 * Double is written as the same decimal, or when a fraction of up to 17 digits is how some programs
 * write that very Double (`0.10000000000000001`).
 *
 * @param text - the number as JSON spells it
 *
 * @example
 * ```ts
 * isExactNumber('1.50e2') // true
 * isExactNumber('12345678901234567890') // false: a Double holds 12345678901234567168
 * ```
 */
export function isExactNumber(text: string): boolean {
  const value = Number(text)
  const decimal = decimalOf(text)
  if (decimal.digits === '') return true
  if (value === 0 || !Number.isFinite(value)) return false
  if (isSame(decimal, decimalOf(String(value)))) return true
  const isFraction = decimal.exponent < 0
  const count = decimal.digits.length
  return (
    isFraction && count <= DOUBLE_DIGITS && isSame(decimal, decimalOf(value.toPrecision(count)))
  )
}

function isSame(one: Decimal, other: Decimal): boolean {
  return one.digits === other.digits && one.exponent === other.exponent
}

/** The sign is left out: a Double has the one of its text. */
function decimalOf(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const all = whole + fraction
  const digits = all.replace(/0+$/, '')
  const exponent = Number(power) - fraction.length + all.length - digits.length
  return { digits: digits.replace(/^0+/, ''), exponent }
}
