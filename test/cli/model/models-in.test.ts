import { connect, defineEntity, key } from 'rowkey'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { modelTable } from '../../../packages/cli/src/model/model-table.ts'
import { modelsIn } from '../../../packages/cli/src/model/models-in.ts'

const Person = defineEntity({
  name: 'people',
  partitionKey: key`${'team'}`,
  rowKey: key`${'id'}`,
  schema: z.object({ team: z.string(), id: z.string() }),
})

const account = connect('memory:')

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
