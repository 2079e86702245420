import { parseEntityObject, type RawEntity, uncheckedDynamicCodec } from '@rowkey/odata'
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
    checkNames(text)
    checkDigits(raw, text)
    const row = uncheckedDynamicCodec.read(raw)
    const change = raw[CHANGE]
    if (change === undefined) return { row }
    if (CHANGES.includes(change)) return { row, change: change as LineChange }
    throw cliInputError('UnreadableInput', `${CHANGE} must be one of ${CHANGES.join(', ')}.`)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw cliInputError('UnreadableInput', `${place}: ${reason}`, cause)
  }
}

function checkKey({ PartitionKey, RowKey }: RawEntity): void {
  if (typeof PartitionKey === 'string' && typeof RowKey === 'string') return
  throw cliInputError('UnreadableInput', 'A row needs the texts PartitionKey and RowKey.')
}

/** Strings, and whether they are names. */
const STRING = /("(?:[^"\\]|\\.)*"?)(\s*:)?/g

/** JSON.parse keeps the last of several values. Rows contain no other objects, so each name is one of a property. */
function checkNames(text: string): void {
  const names = new Set<string>()
  for (const [, name = '', colon] of text.matchAll(STRING)) {
    if (colon === undefined) continue
    if (names.has(name)) throw cliInputError('UnreadableInput', `${name} has two values.`)
    names.add(name)
  }
}

/** Strings, which may contain digits, and numbers. The closing quote is optional so that a search takes linear time. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g

/** Programs of other languages write Int64 as numbers; JavaScript keeps only their first 15 to 17 digits. */
function checkDigits(raw: RawEntity, text: string): void {
  const large = Object.entries(raw).filter(
    ([name, value]) =>
      Number.isInteger(value) &&
      !Number.isSafeInteger(value) &&
      raw[`${name}@odata.type`] === undefined,
  )
  if (large.length === 0) return
  const rounded = new Map(
    text.match(TOKEN)?.flatMap((token) => (isRounded(token) ? [[Number(token), token]] : [])),
  )
  for (const [name, value] of large) {
    const digits = rounded.get(value as number)
    if (digits === undefined) continue
    const int64 = `"${name}@odata.type":"Edm.Int64","${name}":"${digits}"`
    throw cliInputError(
      'UnreadableInput',
      `"${name}" has a number that would be rounded. Write an Int64 as text with its type: ${int64}.`,
    )
  }
}

/** A number without a fraction or an exponent; longer ones are beyond a Double. */
const WHOLE = /^-?\d{1,400}$/

/** Tells whether a whole number has digits that JavaScript loses. */
function isRounded(token: string): boolean {
  if (!WHOLE.test(token)) return false
  const number = Number(token)
  return Number.isFinite(number) && BigInt(token) !== BigInt(number)
}
