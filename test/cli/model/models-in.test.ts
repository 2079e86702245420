import { connect, decorate, defineEntity, Entity, key, PartitionKey, RowKey, union } from 'rowkey'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { modelTable } from '../../../packages/cli/src/model/model-table.ts'
import { modelsIn } from '../../../packages/cli/src/model/models-in.ts'

const Person = defineEntity({
  name: 'people',
  partitionKey: key`${'team'}`,
  rowKey: key`person_${'id'}`,
  schema: z.object({ team: z.string(), id: z.string() }),
})

const account = connect('memory:')

const Order = defineEntity({
  name: 'people',
  partitionKey: key`${'team'}`,
  rowKey: key`order_${'id'}`,
  schema: z.object({ team: z.string(), id: z.string() }),
})

class Connection {
  constructor() {
    throw new TypeError('no variable DATABASE')
  }
}

abstract class Base {
  team = ''
}
decorate(Base as new () => Base, { team: PartitionKey() })

it.each([
  ['a model', Person, [Person]],
  ['a union', union(Person, Order), [Person, Order]],
])('has the models of %s', (_, value, models) => {
  expect(modelsIn(value)).toEqual(models)
})

it.each([
  ['a class that is not an entity', class {}],
  ['a class that is not an entity, and needs arguments', Connection],
  ['a base class', Base],
  ['an object', {}],
  ['an object with types', { types: [1] }],
  ['an object that opens', { open: () => {} }],
  ['an object with columns', { columns: [] }],
  ['an object with a partition key', { partitionKey: 'a' }],
  ['a text', 'people'],
  ['nothing', null],
])('has no models of %s', (_, value) => {
  expect(modelsIn(value)).toEqual([])
})

it('has the model of a class', () => {
  class Member extends Base {
    id = ''
  }
  decorate(Member, Entity('people'), { id: RowKey() })
  expect(modelsIn(Member)).toMatchObject([{ name: 'people' }])
})

it('names an entity whose model is invalid, so that none is left out', () => {
  class Unkeyed {}
  decorate(Unkeyed, Entity('people'), {})
  expect(() => modelsIn(Unkeyed)).toThrow('Unkeyed: ')
  class Broken extends Connection {}
  decorate(Broken, Entity('people'), {})
  expect(() => modelsIn(Broken)).toThrow('Broken: The constructor threw without arguments')
})

it('a function of a module with models is not called', () => {
  let calls = 0
  function seed() {
    calls++
  }
  expect(modelsIn(seed)).toEqual([])
  const models = { Person, seed, table: 'people' }
  expect(modelTable(account, { models }, {}).name).toBe('people')
  expect(calls).toBe(0)
})
