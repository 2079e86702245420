/** What a program in the playground tells the page. */
import type { ShownError } from './program-lines.ts'

/** A value of a table, as text with its Edm type or its type in JavaScript. */
export interface Cell {
  readonly text: string
  readonly type: string
}

/** Rows under their columns; a row lacks the columns that it has no value for. */
export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
  /** How many rows were left out at the end. */
  readonly more: number
}

/** A line that the program prints. */
export interface Printed {
  readonly kind: 'printed'
  readonly level: 'log' | 'warn' | 'error'
  readonly text: string
  /** The same as a table, when an array of objects was printed. */
  readonly rows?: Rows
}

/** A request that went over the wire, with its response. */
export interface WireRequest {
  readonly kind: 'request'
  readonly method: string
  /** The path and the query, decoded. */
  readonly address: string
  /** What the service reads for it, such as `point` or `tableScan`; absent for writes. */
  readonly plan?: string
  /** Why, in words. */
  readonly reasons: readonly string[]
  readonly status: number
  /** The request, and the response, as text: headers, an empty line, the body. */
  readonly sent: string
  readonly received: string
}

/** What a table holds after the program. */
export interface StoredTable extends Rows {
  readonly name: string
}

/** The program has ended. */
export interface Ended {
  readonly kind: 'ended'
  /** What it threw, as Node prints it, with the lines of the program. */
  readonly error?: ShownError
  readonly tables: readonly StoredTable[]
}

export type Message = Printed | WireRequest | Ended

/** What the page tells the worker: the program, compiled to JavaScript. */
export interface Program {
  readonly code: string
  /** From its lines to those of the program in the editor, as a source map has them. */
  readonly mappings: string
}
