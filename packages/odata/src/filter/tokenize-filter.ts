import type { FilterLiteral } from './filter-node.ts'
import { type FilterToken, syntaxError } from './filter-token.ts'
import { readNumber } from './read-number.ts'
import { readQuoted } from './read-quoted.ts'

const BLANKS = /[ \t\r\n]*/y
const WORD = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}\p{Cf}]*/uy
/** Everything that could belong to a number, so that `5abc` is one wrong token and not two. */
const NUMBER = /[-\d][-+.\p{L}\p{Nd}_]*/uy
const SEPARATOR = /[ \t\r\n(),]/

const NAMED_DOUBLES: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['INF', Number.POSITIVE_INFINITY],
])

/**
 * Cuts the text of a filter into tokens; the last one is always `end`.
 *
 * @throws {@link FilterSyntaxError} at the first place that begins no token
 */
export function tokenizeFilter(text: string): readonly FilterToken[] {
  return [...readTokens(text, 0), { kind: 'end', position: text.length }]
}

/**
 * The tokens of a text from one place on, without an `end`.
 *
 * @param from - where the first one may begin; what stands before only shows in messages
 * @throws {@link FilterSyntaxError} at the first place that begins no token
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
  // No filter has one, but only so is it seen that a function is called.
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
  const token = matchAt(NUMBER, text, position)
  if (token === undefined) throw syntaxError(text, position, 'no operand or operator begins here')
  const literal = readNumber(token)
  if (literal === undefined) throw syntaxError(text, position, 'this is no Int32, Int64 or Double')
  return [literalToken(position, literal), position + token.length]
}

function readQuotedToken(text: string, position: number, prefix: string): TokenEnd {
  const from = position + prefix.length + 1
  const end = closingQuote(text, from)
  if (end < 0)
    throw syntaxError(text, position, 'the string is not closed; write two quotes for one')
  const after = text[end + 1]
  if (after !== undefined && !SEPARATOR.test(after)) {
    throw syntaxError(text, end + 1, 'a blank must follow the closing quote')
  }
  const literal = readQuoted(prefix, text.slice(from, end).replaceAll("''", "'"))
  if (literal !== undefined) return [literalToken(position, literal), end + 1]
  const reason = `${prefix}'…' is no literal: datetime, guid, X and binary may stand before a quote, each with its own form within`
  throw syntaxError(text, position, reason)
}

/** Where a string ends that began before `from`: at a quote that is not doubled; -1 for nowhere. */
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
