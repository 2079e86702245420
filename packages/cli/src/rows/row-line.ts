import {
  findJsonLoss,
  parseEntityObject,
  type RawEntity,
  uncheckedDynamicCodec,
} from '@rowkey/odata'
import { type DynamicEntity, printDateTime } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'

/** The annotation of a line that says what to do with the row; `diff` writes it and `import` reads it. */
const CHANGE = 'odata.change'

/** What a line says to do with its row. */
export type LineChange = 'insert' | 'replace' | 'delete'

const CHANGES: readonly unknown[] = ['insert', 'replace', 'delete'] satisfies LineChange[]

/** A row as a line has it. */
export interface RowLine {
  readonly row: DynamicEntity
  /** What to do with it; absent for the line of an export. */
  readonly change?: LineChange
}

/**
 * Prints a row as one line of NDJSON without a line feed. The line is the JSON of the service, with the type of each value that the
 * JSON alone does not show. {@link parseRowLine} reads it without loss.
 *
 * @param row - the row
 * @param change - what to do with it
 */
export function printRowLine(row: DynamicEntity, change?: LineChange): string {
  const { timestamp } = row
  const text = uncheckedDynamicCodec.write(row)
  const json = JSON.stringify({
    Timestamp: timestamp && printDateTime(timestamp),
    [CHANGE]: change,
  })
  return json === '{}' ? text : `${text.slice(0, -1)},${json.slice(1)}`
}

/**
 * Reads a line of NDJSON.
 *
 * @param text - the line
 * @param place - where it stands, for messages
 * @throws InputError with the code `UnreadableInput` when it is not a row with a key, has a property twice, or a number that
 * JavaScript would round
 */
export function parseRowLine(text: string, place: string): RowLine {
  try {
    const raw = parseEntityObject(text)
    checkKey(raw)
    const loss = findJsonLoss(text)
    if (loss !== undefined) throw cliInputError('UnreadableInput', loss.reason)
    const row = uncheckedDynamicCodec.read(raw)
    const change = raw[CHANGE]
    if (change === undefined) return { row }
    if (CHANGES.includes(change)) return { row, change: change as LineChange }
    throw cliInputError('UnreadableInput', `${CHANGE} must be one of ${CHANGES.join(', ')}.`)
  } catch (cause) {
    const { message, cause: origin } = cause as Error
    // Which character is not JSON.
    const detail = origin instanceof SyntaxError ? ` ${origin.message}.` : ''
    throw cliInputError('UnreadableInput', `${place}: ${message}${detail}`, cause)
  }
}

function checkKey({ PartitionKey, RowKey }: RawEntity): void {
  if (typeof PartitionKey === 'string' && typeof RowKey === 'string') return
  throw cliInputError('UnreadableInput', 'A row needs the texts PartitionKey and RowKey.')
}
