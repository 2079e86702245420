import { FilterSyntaxError, type FilterSyntaxErrorOptions } from '../errors/filter-syntax-error.ts'
import type { FilterLiteral } from './filter-node.ts'

/** A piece of a filter's text, and where it begins. */
export type FilterToken =
  | { readonly kind: 'open' | 'close' | 'comma' | 'end'; readonly position: number }
  | { readonly kind: 'word'; readonly word: string; readonly position: number }
  | LiteralToken

/** A constant, and where it begins. */
export interface LiteralToken {
  /** Tells the kinds of token apart. */
  readonly kind: 'literal'
  /** The constant. */
  readonly literal: FilterLiteral
  /** Where it begins. */
  readonly position: number
  /** Whether it came as a value and not as text. */
  readonly isOperand?: boolean
}

const SHOWN_UNITS = 60

/** What is wrong, for programs; the reason says it to people. */
type Told = Pick<FilterSyntaxErrorOptions, 'operands' | 'calledFunction'>

/** The error for a place in a filter's text; long texts are cut around the place. */
export function syntaxError(
  text: string,
  position: number,
  reason: string,
  told: Told = {},
): FilterSyntaxError {
  const from = Math.max(0, Math.min(position - SHOWN_UNITS / 2, text.length - SHOWN_UNITS))
  const shown = text.slice(from, from + SHOWN_UNITS)
  const message = `Syntax error at position ${position} in '${shown}': ${reason}.`
  return new FilterSyntaxError({ message, position, ...told })
}
