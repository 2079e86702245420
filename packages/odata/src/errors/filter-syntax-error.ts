import type { EdmType } from '../edm/edm-type.ts'
import type { ComparisonOperator } from '../filter/filter-node.ts'
import { InputError } from './input-error.ts'
import type { RowkeyErrorOptions } from './rowkey-error.ts'

/** An operator of a `$filter`, and the types that it was given and does not take. */
export interface OperandTypes {
  /** The operator. */
  readonly operator: ComparisonOperator | 'and' | 'or' | 'not'
  /** One type or two, from left to right; `undefined` where only the stored entities tell it. */
  readonly types: readonly (EdmType | undefined)[]
}

/** What a {@link FilterSyntaxError} is made from. */
export interface FilterSyntaxErrorOptions extends RowkeyErrorOptions {
  /** Where in the text, in UTF-16 units from 0; 0 when a tree was given. */
  readonly position: number
  /** The operator and the types, when it is the types that do not fit. */
  readonly operands?: OperandTypes | undefined
  /** The name of the function that the text calls, when that is what is wrong. */
  readonly calledFunction?: string | undefined
}

/** Thrown when the text of a `$filter` cannot be read, or a tree holds what no filter has. */
export class FilterSyntaxError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'FilterSyntaxError'
  /** What programs branch on. */
  override readonly code = 'InvalidFilter'
  /** Where in the text, in UTF-16 units from 0; 0 when a tree was given. */
  readonly position: number
  /** The operator and the types, when it is the types that do not fit. */
  readonly operands: OperandTypes | undefined
  /** The name of the function that the text calls, when that is what is wrong. */
  readonly calledFunction: string | undefined

  constructor(options: FilterSyntaxErrorOptions) {
    super(options)
    this.position = options.position
    this.operands = options.operands
    this.calledFunction = options.calledFunction
  }
}
