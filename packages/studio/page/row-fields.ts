import type { EdmType } from '@rowkey/odata'
import type { Assignment, ShownRow, ShownValue } from '../src/server/wire.ts'

/** The types of values, in the order of the form. */
export const TYPES: readonly EdmType[] = [
  'String',
  'Boolean',
  'Int32',
  'Int64',
  'Double',
  'DateTime',
  'Guid',
  'Binary',
]

/** A property in a form. */
export interface RowField {
  /** Different for each field of a form. */
  readonly id: number
  readonly name: string
  readonly type: EdmType
  /** What the reader sees and changes. */
  readonly text: string
  /** Whether the text is JSON in quotes, because a field would change its line ends or control characters. */
  readonly isEscaped: boolean
  /** The field as it was when the form opened; absent for a new property. */
  readonly before?: Pick<RowField, 'type' | 'text'>
  /** Whether the property goes. */
  readonly isRemoved: boolean
}

/** Characters that a field of a browser changes, or that readers cannot see. */
const UNSHOWN = /[^\P{Cc}\t\n]/u

/** Makes the field of a value. */
function fieldOf(name: string, { type, text }: ShownValue, id: number): RowField {
  const isEscaped = type === 'String' && UNSHOWN.test(text)
  const shown = isEscaped ? JSON.stringify(text) : text
  return { id, name, type, text: shown, isEscaped, before: { type, text: shown }, isRemoved: false }
}

/** Makes the fields of a row that was read whole. */
export function fieldsOf(row: ShownRow): readonly RowField[] {
  return row.values.map(([name, value], id) => fieldOf(name, value, id))
}

/** Makes the fields of a new row with the values of another one. */
export function clonedFields(row: ShownRow): readonly RowField[] {
  return fieldsOf(row).map(({ before: _, ...field }) => field)
}

/** Makes an empty field. */
export function emptyField(id: number): RowField {
  return { id, name: '', type: 'String', text: '', isEscaped: false, isRemoved: false }
}

/** What a form sends: only what was touched. */
export interface RowChanges {
  readonly set: readonly Assignment[]
  readonly remove: readonly string[]
  /** What is wrong; then nothing is sent. */
  readonly problem?: string
}

/** Collects what the reader changed. Properties that were not touched are not sent, so they stay exactly as they are. */
export function changesOf(fields: readonly RowField[]): RowChanges {
  const kept = fields.filter(({ isRemoved }) => !isRemoved)
  const remove = fields.filter(({ isRemoved, before }) => isRemoved && before !== undefined)
  const names = kept.map(({ name }) => name.trim())
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  const nothing = { set: [], remove: [] }
  if (names.includes('')) return { ...nothing, problem: 'A property needs a name.' }
  if (twice !== undefined)
    return { ...nothing, problem: `The property ${twice} stands there twice.` }
  const set: Assignment[] = []
  for (const field of kept) {
    const { name, type, text, before } = field
    if (before !== undefined && before.type === type && before.text === text) continue
    const whole = field.isEscaped ? unescaped(text) : text
    if (whole === undefined) {
      return { ...nothing, problem: `${name} must be a text in quotes, as JSON has it.` }
    }
    set.push({ name: name.trim(), type, text: whole })
  }
  return { set, remove: remove.map(({ name }) => name) }
}

function unescaped(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
