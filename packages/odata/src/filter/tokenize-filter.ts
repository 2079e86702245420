import { findDateTime } from '../edm/date-time-value.ts'
import { isGuid, isInt32, isInt64 } from '../edm/edm-codecs.ts'
import { decodeHex } from '../edm/hex.ts'
import type { FilterLiteral } from './filter-node.ts'
import { FilterSyntaxError, type FilterSyntaxErrorOptions } from './filter-node.ts'

/** A token of a filter's text, and where it begins. */
export type FilterToken =
  | { readonly kind: 'open' | 'close' | 'comma' | 'end'; readonly position: number }
  | { readonly kind: 'word'; readonly word: string; readonly position: number }
  | LiteralToken

/** A constant, and where it begins. */
export interface LiteralToken {
  /** The kind of token. */
  readonly kind: 'literal'
  /** The constant. */
  readonly literal: FilterLiteral
  /** Where it begins. */
  readonly position: number
  /** Whether it comes from a value and not from text. */
  readonly isOperand?: boolean
}

const SHOWN_UNITS = 60

/** The mistake for programs; the reason is for people. */
type Mistake = Pick<FilterSyntaxErrorOptions, 'operands' | 'calledFunction'>

/** Makes the error for a place in a filter's text; a long text is cut around the place. */
export function syntaxError(
  text: string,
  position: number,
  reason: string,
  mistake: Mistake = {},
): FilterSyntaxError {
  const from = Math.max(0, Math.min(position - SHOWN_UNITS / 2, text.length - SHOWN_UNITS))
  const shown = text.slice(from, from + SHOWN_UNITS)
  const message = `Syntax error at position ${position} in '${shown}': ${reason}.`
  return new FilterSyntaxError({ message, position, ...mistake })
}

const BLANKS = /[ \t\r\n]*/y
const WORD = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*/uy
/** Everything that could belong to a number, so that `5abc` is one invalid token and not two. */
const NUMERIC = /[-\d][-+.\p{L}\p{Nd}_]*/uy
const SEPARATOR = /[ \t\r\n(),]/

const NAMED_DOUBLES: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['INF', Number.POSITIVE_INFINITY],
])

/**
 * Splits the text of a filter into tokens; the last one is always `end`.
 *
 * @throws `FilterSyntaxError` at the first place where no token begins
 */
export function tokenizeFilter(text: string): readonly FilterToken[] {
  return [...readTokens(text, 0), { kind: 'end', position: text.length }]
}

/**
 * Reads the tokens of a text from one place on, without an `end`.
 *
 * @param from - where the first one may begin; the text before it only appears in messages
 * @throws `FilterSyntaxError` at the first place where no token begins
 */
export function readTokens(text: string, from: number): readonly FilterToken[] {
  const tokens: FilterToken[] = []
  let position = skipBlanks(text, from)
  while (position < text.length) {
    const [token, end] = readToken(text, position)
    tokens.push(token)
    position = skipBlanks(text, end)
  }
  return tokens
}

type TokenEnd = readonly [token: FilterToken, end: number]

function readToken(text: string, position: number): TokenEnd {
  const first = text[position]
  if (first === '(') return [{ kind: 'open', position }, position + 1]
  if (first === ')') return [{ kind: 'close', position }, position + 1]
  // No filter has a comma, but the arguments of a function do, and the error names the function.
  if (first === ',') return [{ kind: 'comma', position }, position + 1]
  if (first === "'") return readQuotedToken(text, position, '')
  const word = matchAt(WORD, text, position)
  if (word !== undefined) return readWordToken(text, position, word)
  return readNumberToken(text, position)
}

function readWordToken(text: string, position: number, word: string): TokenEnd {
  const end = position + word.length
  if (text[end] === "'") return readQuotedToken(text, position, word)
  const value = NAMED_DOUBLES.get(word)
  if (value === undefined) return [{ kind: 'word', word, position }, end]
  return [literalToken(position, { type: 'Double', value }), end]
}

function readNumberToken(text: string, position: number): TokenEnd {
  const token = matchAt(NUMERIC, text, position)
  if (token === undefined) throw syntaxError(text, position, 'expected an operand or an operator')
  const literal = readNumber(token)
  if (literal === undefined) throw syntaxError(text, position, numberReason(token))
  return [literalToken(position, literal), position + token.length]
}

function readQuotedToken(text: string, position: number, prefix: string): TokenEnd {
  const from = position + prefix.length + 1
  const end = closingQuote(text, from)
  if (end < 0) {
    throw syntaxError(text, position, "the string is not closed; write a quote in it as ''")
  }
  const after = text[end + 1]
  if (after !== undefined && !SEPARATOR.test(after)) {
    throw syntaxError(text, end + 1, 'expected a blank after the closing quote')
  }
  const literal = readQuoted(prefix, text.slice(from, end).replaceAll("''", "'"))
  if (literal !== undefined) return [literalToken(position, literal), end + 1]
  const reason = `${prefix}'…' is not a literal; the prefixes are datetime, guid, X, x and binary, each with its own form`
  throw syntaxError(text, position, reason)
}

/** Finds the end of a string that began before `from`: a quote that is not doubled, or -1. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf("'", from)
  while (quote >= 0 && text[quote + 1] === "'") quote = text.indexOf("'", quote + 2)
  return quote
}

function literalToken(position: number, literal: FilterLiteral): FilterToken {
  return { kind: 'literal', literal: Object.freeze(literal), position }
}

function skipBlanks(text: string, position: number): number {
  return position + (matchAt(BLANKS, text, position)?.length ?? 0)
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}

const NUMBER = /^(-?\d+)(\.\d+)?([eE][+-]?\d+)?([lLdDfF]?)$/

/** Says why a token is not a number that {@link readNumber} reads. */
function numberReason(token: string): string {
  return WHOLE.test(token)
    ? 'a whole number without an L has at most 32 bits; write a larger one as an Int64, such as 5000000000L'
    : 'this is not an Int32, Int64 or Double'
}

const WHOLE = /^-?\d+$/

/**
 * Reads a number: `5` is an Int32, `5L` an Int64, `5.0`, `5e1` and `5D` are Doubles.
 *
 * @param text - the whole token
 * @returns `undefined` when it is not a number, or does not fit into its type
 */
function readNumber(text: string): FilterLiteral | undefined {
  if (text === '-INF') return { type: 'Double', value: Number.NEGATIVE_INFINITY }
  const match = NUMBER.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction, exponent, suffix = ''] = match
  const isLong = suffix === 'l' || suffix === 'L'
  const isPlain = fraction === undefined && exponent === undefined
  if (isLong) return isPlain ? readInt64(whole) : undefined
  const value = Number(suffix === '' ? text : text.slice(0, -1))
  if (isPlain && suffix === '')
    return isInt32(value) ? { type: 'Int32', value: value | 0 } : undefined
  return Number.isFinite(value) ? { type: 'Double', value } : undefined
}

function readInt64(digits: string): FilterLiteral | undefined {
  // No 64-bit number has more digits, and parsing thousands of them would take long.
  const value = digits.length <= 40 ? BigInt(digits) : undefined
  return value !== undefined && isInt64(value) ? { type: 'Int64', value } : undefined
}

/**
 * Reads a quoted literal.
 *
 * @param prefix - the text before the quote: empty, `datetime`, `guid`, `X`, `x` or `binary`
 * @param text - the text between the quotes, with doubled quotes made single
 * @returns `undefined` for another prefix, and when the text does not fit it
 */
function readQuoted(prefix: string, text: string): FilterLiteral | undefined {
  switch (prefix) {
    case '':
      return { type: 'String', value: text }
    case 'datetime':
      return readDateTime(text)
    case 'guid':
      return isGuid(text) ? { type: 'Guid', value: text.toLowerCase() } : undefined
    case 'X':
    case 'x':
    case 'binary':
      return readBinary(text)
    default:
      return undefined
  }
}

function readDateTime(text: string): FilterLiteral | undefined {
  const value = findDateTime(text)
  return value && { type: 'DateTime', value }
}

function readBinary(text: string): FilterLiteral | undefined {
  const value = decodeHex(text)
  return value && { type: 'Binary', value }
}
