import { logical, not } from './build-filter.ts'
import { type FilterNode, isComparisonOperator, isReservedWord } from './filter-node.ts'
import {
  type FilterOperand,
  toComparison,
  toCondition,
  toConditions,
  typeOf,
} from './filter-operand.ts'
import { type FilterToken, syntaxError, tokenizeFilter } from './tokenize-filter.ts'

/**
 * Parses the text of a `$filter`, as the service does.
 *
 * A constant on the left of a comparison changes sides with the property; two constants are compared at
 * once. Unnecessary parentheses disappear, others keep their grouping.
 *
 * @param text - the text, decoded from the URL
 * @returns `undefined` when the text is blank, which means no filter
 * @throws `FilterSyntaxError` with the position, for anything that the service does not support:
 * functions, arithmetic, `null`, a comparison of two properties, PartitionKey with a number; and for more
 * than 64 levels of parentheses and `not`
 *
 * @example
 * ```ts
 * parseFilter('100 lt points') // the same tree as of 'points gt 100'
 * ```
 */
export function parseFilter(text: string): FilterNode | undefined {
  return text.trim() === '' ? undefined : new FilterParser(text).parse()
}

/** Enough for every filter of 15 comparisons, and safe for every stack. */
const MAX_DEPTH = 64

/** Parses one filter, with one method per rule of the grammar: or, and, not, comparison, operand. */
export class FilterParser {
  readonly #text: string
  readonly #tokens: readonly FilterToken[]
  #at = 0
  #depth = 0

  /**
   * @param text - the whole filter, for messages
   * @param tokens - its tokens, the last one `end`; read from the text when absent
   */
  constructor(text: string, tokens: readonly FilterToken[] = tokenizeFilter(text)) {
    this.#text = text
    this.#tokens = tokens
  }

  /** Parses the whole text to a tree. */
  parse(): FilterNode {
    const node = toCondition(this.#text, this.#readOr())
    const { kind, position } = this.#token
    if (kind !== 'end') throw this.#error(position, 'expected the end of the filter')
    return node
  }

  get #token(): FilterToken {
    // The last token is `end`, and nothing reads past it.
    return this.#tokens[this.#at] as FilterToken
  }

  #readOr(): FilterOperand {
    return this.#readOperands('or', () => this.#readAnd())
  }

  #readAnd(): FilterOperand {
    return this.#readOperands('and', () => this.#readNot())
  }

  /** Reads operands with `and` or `or` between them; a single operand is returned as it is. */
  #readOperands(kind: 'and' | 'or', read: () => FilterOperand): FilterOperand {
    const first = read()
    if (!this.#isWord(kind)) return first
    const operands = [first]
    while (this.#skipWord(kind)) operands.push(read())
    const node = logical(kind, toConditions(this.#text, kind, operands))
    return { kind: 'condition', node, position: first.position }
  }

  #readNot(): FilterOperand {
    const { position } = this.#token
    if (!this.#skipWord('not')) return this.#readComparison()
    const operand = this.#nested(() => this.#readNot())
    const operands = { operator: 'not', types: [typeOf(operand)] } as const
    return { kind: 'condition', node: not(toCondition(this.#text, operand, operands)), position }
  }

  #readComparison(): FilterOperand {
    const left = this.#readOperand()
    const token = this.#token
    if (token.kind !== 'word' || !isComparisonOperator(token.word)) return left
    this.#at++
    const node = toComparison(this.#text, left, token.word, this.#readOperand())
    return { kind: 'condition', node, position: left.position }
  }

  #readOperand(): FilterOperand {
    const token = this.#token
    if (token.kind === 'open') return this.#readGroup()
    if (token.kind !== 'word' && token.kind !== 'literal') {
      throw this.#error(token.position, 'expected a property, a constant or a parenthesis')
    }
    this.#at++
    return token.kind === 'literal' ? token : this.#toOperand(token.word, token.position)
  }

  #toOperand(word: string, position: number): FilterOperand {
    if (word === 'true' || word === 'false') {
      return { kind: 'literal', literal: { type: 'Boolean', value: word === 'true' }, position }
    }
    if (isReservedWord(word)) throw this.#error(position, `unexpected "${word}"`)
    if (this.#token.kind === 'open') {
      const reason = 'the service does not support functions'
      throw syntaxError(this.#text, position, reason, { calledFunction: word })
    }
    return { kind: 'property', property: word, position }
  }

  #readGroup(): FilterOperand {
    const { position } = this.#token
    this.#at++
    const operand = this.#nested(() => this.#readOr())
    const end = this.#token
    if (end.kind !== 'close') {
      throw this.#error(end.position, 'expected a closing parenthesis')
    }
    this.#at++
    return { ...operand, position }
  }

  #nested(read: () => FilterOperand): FilterOperand {
    if (++this.#depth > MAX_DEPTH) {
      const reason = `parentheses and "not" may be nested at most ${MAX_DEPTH} levels deep`
      throw this.#error(this.#token.position, reason)
    }
    const operand = read()
    this.#depth--
    return operand
  }

  #isWord(word: string): boolean {
    const token = this.#token
    return token.kind === 'word' && token.word === word
  }

  #skipWord(word: string): boolean {
    const isThere = this.#isWord(word)
    if (isThere) this.#at++
    return isThere
  }

  #error(position: number, reason: string): Error {
    return syntaxError(this.#text, position, reason)
  }
}
