import type { EdmCodec } from './edm-codec.ts'
import { valueRefused } from './value-refused.ts'

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** How the wire spells what JSON has no number for; `INF` is the spelling of OData. */
const SPECIAL: ReadonlyMap<unknown, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['INF', Number.POSITIVE_INFINITY],
  ['-INF', Number.NEGATIVE_INFINITY],
])

/** Double: every `number`, with -0, NaN and the infinities. A whole one keeps its `.0`. */
export const doubleCodec: EdmCodec<'Double'> = {
  type: 'Double',
  accept(given, name) {
    if (typeof given === 'number') return given
    throw valueRefused('Double', name, given, 'a number')
  },
  annotates: (value) => Number.isInteger(value) || !Number.isFinite(value),
  writeJson: (value) => (Number.isFinite(value) ? printFinite(value) : `"${value}"`),
  readJson(json, name) {
    if (typeof json === 'number') return json
    const value = SPECIAL.get(json) ?? (isNumberText(json) ? Number(json) : undefined)
    if (value !== undefined) return value
    throw valueRefused(
      'Double',
      name,
      json,
      'a number, or "NaN", "Infinity" and "-Infinity" as text',
    )
  },
  printLiteral: (value) =>
    Number.isFinite(value) ? printFinite(value) : String(value).replace('Infinity', 'INF'),
  compare: (a, b) => (a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN),
}

function isNumberText(json: unknown): json is string {
  return typeof json === 'string' && NUMBER.test(json)
}

/** A fraction or an exponent must stay in sight: without either the token would be an integer. */
function printFinite(value: number): string {
  if (!Number.isInteger(value)) return String(value)
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return Math.abs(value) < 1e21 ? `${text}.0` : text.replace('e+', 'e')
}
