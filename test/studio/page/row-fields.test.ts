import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareVersions } from '../../../packages/studio/page/compare-versions.ts'
import {
  changesOf,
  clonedFields,
  emptyField,
  fieldsOf,
  type RowField,
} from '../../../packages/studio/page/row-fields.ts'
import type { ShownRow, ShownValue } from '../../../packages/studio/src/server/wire.ts'
import { anyText } from '../../support/any-text.ts'

const rowOf = (values: Record<string, ShownValue>): ShownRow => ({
  partition: 'Smith',
  row: 'Jeff',
  values: Object.entries(values),
})
const text = (value: string): ShownValue => ({ type: 'String', text: value })
const row = rowOf({
  name: text('Jeff'),
  age: { type: 'Int32', text: '30' },
  lines: text('one\r\ntwo'),
})

/** The fields of the row after a change of one. */
const changed = (name: string, part: Partial<RowField>): readonly RowField[] =>
  fieldsOf(row).map((field) => (field.name === name ? { ...field, ...part } : field))

describe('a form', () => {
  it('sends nothing that was not touched', () => {
    expect(changesOf(fieldsOf(row))).toEqual({ set: [], remove: [] })
    const any = anyText()
    fc.assert(
      fc.property(any, (value) => {
        expect(changesOf(fieldsOf(rowOf({ any: text(value) })))).toEqual({ set: [], remove: [] })
      }),
    )
  })

  it('sends a value, a type, a new and a removed property', () => {
    expect(changesOf(changed('name', { text: 'Ann' })).set).toEqual([
      { name: 'name', type: 'String', text: 'Ann' },
    ])
    expect(changesOf(changed('age', { type: 'Int64' })).set).toEqual([
      { name: 'age', type: 'Int64', text: '30' },
    ])
    expect(changesOf(changed('age', { isRemoved: true }))).toEqual({ set: [], remove: ['age'] })
    const added = [...fieldsOf(row), { ...emptyField(9), name: ' city ', text: '' }]
    expect(changesOf(added).set).toEqual([{ name: 'city', type: 'String', text: '' }])
  })

  it('sends the values of a clone exactly', () => {
    fc.assert(
      fc.property(anyText(), (value) => {
        expect(changesOf(clonedFields(rowOf({ any: text(value) }))).set).toEqual([
          { name: 'any', ...text(value) },
        ])
      }),
    )
  })

  it('shows a text with characters that fields change as JSON', () => {
    const [, , lines] = fieldsOf(row)
    expect(lines).toMatchObject({ text: '"one\\r\\ntwo"', isEscaped: true })
    expect(changesOf(changed('lines', { text: '"one\\r\\n2"' })).set[0]?.text).toBe('one\r\n2')
    expect(fieldsOf(rowOf({ tabs: text('a\tb\nc') }))[0]?.isEscaped).toBe(false)
  })

  it.each([
    [changed('lines', { text: 'one' }), 'lines must be a text in quotes'],
    [changed('lines', { text: '5' }), 'lines must be a text in quotes'],
    [[...fieldsOf(row), emptyField(9)], 'needs a name'],
    [[...fieldsOf(row), { ...emptyField(9), name: 'age' }], 'age stands there twice'],
  ])('says what is wrong, and sends nothing', (fields, problem) => {
    const changes = changesOf(fields)
    expect(changes).toMatchObject({ set: [], remove: [] })
    expect(changes.problem).toContain(problem)
  })
})

describe('versions of a row', () => {
  const stored = rowOf({
    name: text('Theirs'),
    age: { type: 'Int64', text: '30' },
    lines: text('x'),
  })

  it('are compared property by property', () => {
    const changes = changesOf([
      ...changed('name', { text: 'Mine' }).filter(({ name }) => name !== 'lines'),
      { ...emptyField(9), name: 'city', text: 'Bonn' },
    ])
    expect(compareVersions(row, changes, stored).map(({ name, by }) => [name, by])).toEqual([
      ['name', 'both'],
      ['age', 'others'],
      ['lines', 'others'],
      ['city', 'me'],
    ])
  })

  it('leave out what all have', () => {
    expect(compareVersions(row, { set: [], remove: [] }, row)).toEqual([])
  })

  it('are missing after a delete, and before an insert', () => {
    const [name] = compareVersions(row, undefined, stored)
    expect(name).toMatchObject({ mine: undefined, stored: text('Theirs'), by: 'both' })
    expect(compareVersions(row, { set: [], remove: [] }, null).map(({ by }) => by)).toEqual(
      Array(3).fill('others'),
    )
    const set = [{ name: 'name', ...text('Mine') }]
    expect(compareVersions(undefined, { set, remove: [] }, row)).toHaveLength(3)
  })
})
