import type { EdmType } from '../edm/edm-type.ts'
import { InputError } from '../errors/input-error.ts'
import type { RowkeyErrorOptions } from '../errors/rowkey-error.ts'
import type { ComparisonOperator } from './filter-node.ts'

/** An operator of a `$filter`, and the types of its operands, which it does not support. */
export interface OperandTypes {
  /** The operator. */
  readonly operator: ComparisonOperator | 'and' | 'or' | 'not'
  /** One type or two, from left to right; `undefined` where it depends on the stored entities. */
  readonly types: readonly (EdmType | undefined)[]
}

/** What a `FilterSyntaxError` is made from. */
export interface FilterSyntaxErrorOptions extends RowkeyErrorOptions {
  /** The place in the text, in UTF-16 units from 0; 0 for a tree. */
  readonly position: number
  /** The operator and the types, when the types are the mistake. */
  readonly operands?: OperandTypes | undefined
  /** The name of the function that the text calls, when that is the mistake. */
  readonly calledFunction?: string | undefined
}

/** Thrown when the text of a `$filter` cannot be parsed, or a tree contains what no filter has. */
export class FilterSyntaxError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'FilterSyntaxError'
  /** `InvalidFilter`. */
  override readonly code = 'InvalidFilter'
  /** The place in the text, in UTF-16 units from 0; 0 for a tree. */
  readonly position: number
  /** The operator and the types, when the types are the mistake. */
  readonly operands: OperandTypes | undefined
  /** The name of the function that the text calls, when that is the mistake. */
  readonly calledFunction: string | undefined

  constructor(options: FilterSyntaxErrorOptions) {
    super(options)
    this.position = options.position
    this.operands = options.operands
    this.calledFunction = options.calledFunction
  }
}
