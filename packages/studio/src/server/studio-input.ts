import { cliInputError } from '@rowkey/cli'
import { type EdmType, type EntityKey, isEdmType } from '@rowkey/odata'
import type { Assignment, SelectedRow } from './wire.ts'

/** The parameters of a request of the page: of its address, or of its body. */
export interface StudioInput {
  readonly values: Readonly<Record<string, unknown>>
  /** Aborts when the page no longer waits. */
  readonly signal: AbortSignal
}

/** What a request is answered with, as JSON; or a file to save. */
export type StudioResult = object | StudioFile | undefined

/** A file that the browser saves. */
export class StudioFile {
  readonly name: string
  readonly type: string
  readonly body: string

  constructor(name: string, type: string, body: string) {
    this.name = name
    this.type = type
    this.body = body
  }
}

/** Answers the requests of the page, by method and path. */
export type StudioApi = Readonly<Record<string, (input: StudioInput) => Promise<StudioResult>>>

/**
 * Reads a text.
 *
 * @throws InputError with the code `InvalidArgument` when it is missing
 */
export function textOf({ values }: StudioInput, name: string): string {
  const value = values[name]
  if (typeof value === 'string') return value
  throw cliInputError('InvalidArgument', `The request lacks the text '${name}'.`)
}

/** Reads a text that may be missing or empty; both are `undefined`. */
export function optionalText({ values }: StudioInput, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The most rows of one request: the service returns no more. */
const MOST_ROWS = 1_000

/** Reads how many rows to read. */
export function sizeOf(input: StudioInput): number {
  const size = Number(textOf(input, 'size'))
  if (Number.isInteger(size) && size >= 1 && size <= MOST_ROWS) return size
  throw cliInputError('InvalidArgument', `size must be a whole number from 1 to ${MOST_ROWS}.`)
}

/** The table and the key of a row. */
export interface RowPlace extends EntityKey {
  readonly table: string
}

/** Reads the table and the key of a row. */
export function placeOf(input: StudioInput): RowPlace {
  return {
    table: textOf(input, 'table'),
    partitionKey: textOf(input, 'partition'),
    rowKey: textOf(input, 'row'),
  }
}

/** Reads the ETag of the version that the page shows. */
export function etagOf(input: StudioInput): string {
  const etag = textOf(input, 'etag')
  if (isVersion(etag)) return etag
  throw cliInputError('InvalidArgument', 'A change needs the ETag of the version that was shown.')
}

/** Tells whether a text is the ETag of one version. `*` would overwrite any version. */
function isVersion(etag: string): boolean {
  return !['', '*'].includes(etag.trim())
}

/** Reads the rows of a selection, each in the version that the page shows. */
export function selectedRowsOf({ values }: StudioInput): readonly SelectedRow[] {
  const { rows } = values
  if (Array.isArray(rows) && rows.length <= MOST_ROWS && rows.every(isSelected)) return rows
  throw cliInputError(
    'InvalidArgument',
    `'rows' must be a list of at most ${MOST_ROWS} { partition, row, etag }.`,
  )
}

function isSelected(given: unknown): given is SelectedRow {
  const { partition, row, etag }: Record<string, unknown> = Object(given)
  const texts = [partition, row, etag].every((text) => typeof text === 'string')
  return texts && isVersion(etag as string)
}

/** Reads new values of properties. */
export function assignmentsOf({ values }: StudioInput): readonly Assignment[] {
  const { set } = values
  if (Array.isArray(set) && set.every(isAssignment)) return set
  throw cliInputError('InvalidArgument', "'set' must be a list of { name, type, text }.")
}

function isAssignment(given: unknown): given is Assignment {
  const { name, type, text }: { name?: unknown; type?: EdmType; text?: unknown } = Object(given)
  return typeof name === 'string' && isEdmType(type) && typeof text === 'string'
}

/** Reads names of properties. */
export function namesOf({ values }: StudioInput, name: string): readonly string[] {
  const names = values[name]
  if (Array.isArray(names) && names.every((each) => typeof each === 'string')) return names
  throw cliInputError('InvalidArgument', `'${name}' must be a list of names.`)
}
