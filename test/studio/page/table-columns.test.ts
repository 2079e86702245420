import { describe, expect, it } from 'vitest'
import {
  columnsOf,
  knownProperties,
  namesOfModels,
  propertyOf,
} from '../../../packages/studio/page/table-columns.ts'
import type { ShownRow, TypeNames } from '../../../packages/studio/src/server/wire.ts'

const row = (values: ShownRow['values']): ShownRow => ({ partition: 'a', row: 'b', values })

const rows = [
  row([['age', { type: 'Int32', text: '1' }]]),
  row([
    ['age', { type: 'String', text: 'x' }],
    ['cea', { type: 'String', text: 'y' }],
  ]),
]

const customer: TypeNames = {
  title: 'Customer',
  table: 'people',
  partition: ['lastName'],
  row: ['firstName'],
  names: [
    ['cea', 'email'],
    ['age', 'age'],
  ],
}
const order: TypeNames = {
  ...customer,
  title: 'Order',
  names: [['cea', 'address']],
  row: ['number'],
}

describe('the columns of rows', () => {
  it('have every type of their values', () => {
    expect(columnsOf(rows, [], [])).toEqual([
      { name: 'age', property: undefined, types: ['Int32', 'String'] },
      { name: 'cea', property: undefined, types: ['String'] },
    ])
  })

  it('are those that were chosen, in their order', () => {
    expect(columnsOf(rows, ['cea', 'gone'], []).map(({ name }) => name)).toEqual(['cea', 'gone'])
    expect(columnsOf(rows, ['PartitionKey', 'age'], []).map(({ name }) => name)).toEqual(['age'])
  })

  it('have the names of models', () => {
    expect(columnsOf(rows, [], [customer]).map(({ property }) => property)).toEqual([
      undefined,
      'email',
    ])
    expect(propertyOf([customer, order], 'cea')).toBe('email / address')
    expect(propertyOf([customer], 'PartitionKey')).toBe('lastName')
    expect(propertyOf([customer, order], 'RowKey')).toBe('firstName / number')
  })
})

describe('the properties that a filter can name', () => {
  it('are those of the models and of all rows so far', () => {
    const seen = new Map<string, Set<string>>()
    knownProperties([customer], 'people', rows, seen)
    const known = knownProperties([customer], 'people', [], seen)
    expect(known.map(({ name }) => name)).toEqual([
      'PartitionKey',
      'RowKey',
      'cea',
      'age',
      'Timestamp',
    ])
    expect(known[2]).toEqual({ name: 'cea', property: 'email', types: ['String'] })
  })

  it('are not those of the models of other tables', () => {
    const known = knownProperties([customer], 'orders', [], new Map())
    expect(known.map(({ name }) => name)).toEqual(['PartitionKey', 'RowKey', 'Timestamp'])
  })
})

describe('the names of models in a filter', () => {
  it('are named with what the service knows', () => {
    const hints = (filter: string) => namesOfModels([customer, order], filter)
    expect(hints("lastName eq 'Smith' and email eq 'a'")).toEqual([
      'lastName is in the PartitionKey.',
      'email is stored as cea.',
    ])
    expect(hints("number eq '1'")).toEqual(['number is in the RowKey.'])
    const stored = "PartitionKey eq 'lastName' and cea eq 'its ''email'' ' and age gt 3"
    expect(hints(stored)).toEqual([])
  })
})
