import { codecOf, modelOf, Operation } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  checkOperation,
  toChange,
} from '../../../../packages/mapper/src/table/operation/to-change.ts'
import { EntityChanges } from '../../../../packages/mapper/src/table/write/entity-changes.ts'
import { Customer } from '../../customer.ts'

const codec = codecOf(modelOf(Customer))
const origin = { account: 'contoso', table: 'customers' }
const changes = new EntityChanges('customers', origin, codec)
const read = (RowKey: string, etag: string) =>
  codec.read({ PartitionKey: 'Smith', RowKey, age: 5 }, etag, origin)
const jeff = read('Jeff', 'W/"1"')

describe('toChange', () => {
  it.each([
    [Operation.insert(jeff), 'insertEntity', undefined],
    [Operation.merge(jeff), 'mergeEntity', 'W/"1"'],
    [Operation.replace(jeff), 'updateEntity', 'W/"1"'],
    [Operation.replace(jeff, { etag: '*' }), 'updateEntity', '*'],
    [Operation.insertOrMerge(jeff), 'insertOrMergeEntity', undefined],
    [Operation.insertOrReplace(jeff), 'insertOrReplaceEntity', undefined],
    [Operation.delete(jeff), 'deleteEntity', 'W/"1"'],
    [Operation.delete(['Smith', 'Jeff'], { etag: '*' }), 'deleteEntity', '*'],
    [Operation.retrieve('Smith', 'Jeff'), 'retrieveEntity', undefined],
  ] as const)('R-91: maps %o to the operation %s', (operation, name, etag) => {
    const change = toChange(operation, changes)
    expect(change.operation.name).toBe(name)
    expect(change.input).toMatchObject({
      table: 'customers',
      key: { partitionKey: 'Smith', rowKey: 'Jeff' },
    })
    expect(change.input.etag).toBe(etag)
  })

  it('R-52: writes the entity as it is when it is called', () => {
    const ann = read('Ann', '"1"')
    const operation = Operation.merge(ann)
    expect(toChange(operation, changes).input.body).not.toContain('age')
    ann.age = 6
    expect(toChange(operation, changes).input.body).toContain('"age":6')
    ann.etag = '"2"'
    expect(toChange(operation, changes).input.etag).toBe('"2"')
  })
})

describe('checkOperation', () => {
  it('rejects an operation with a type, which only the table of a union takes', () => {
    const typed = Operation.insert(Customer, jeff)
    expect(() => checkOperation(typed, 'execute of table people')).toThrow(InputError)
    expect(() => checkOperation(typed, 'execute of table people')).toThrow(
      'execute of table people: only the table of a union takes the type of an entity. Leave it out: Operation.insert(…).',
    )
  })

  it.each([undefined, null, 5, 'insert', {}, { kind: 'drop' }, jeff, () => jeff])(
    'refuses %o',
    (given) => {
      expect(() => checkOperation(given, 'execute of table people')).toThrow(
        expect.objectContaining({ code: 'InvalidOptionValue' }),
      )
      expect(() => checkOperation(given, 'execute of table people')).toThrow(
        /execute of table people takes an operation/,
      )
    },
  )
})
